import { CodedError } from './coded-error.ts';

const UNAVAILABLE_NAMES = new Set([
  // mongodb driver
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongooseServerSelectionError',
  'PoolClearedOnNetworkError',
  // redis client
  'ClientClosedError',
  'ClientOfflineError',
  'ConnectionTimeoutError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
  'CommandTimeoutDuringMaintenanceError',
  'TimeoutError',
  'DisconnectsClientError',
  'ReconnectStrategyError',
]);

const UNAVAILABLE_CAUSES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Code of the server error that FerretDB answers while its PostgreSQL is away; MongoDB itself uses it for internal faults. */
const ENGINE_INTERNAL_ERROR = 1;

const field = (error: object, key: string): unknown => (error as Record<string, unknown>)[key];

const isEngineDown = (error: object): boolean => {
  const name = error.constructor.name;
  const ownName = field(error, 'name');
  if (UNAVAILABLE_NAMES.has(name) || (typeof ownName === 'string' && UNAVAILABLE_NAMES.has(ownName))) return true;
  const code = field(error, 'code');
  if (typeof code === 'string' && UNAVAILABLE_CAUSES.has(code)) return true;
  return ownName === 'MongoServerError' && code === ENGINE_INTERNAL_ERROR;
};

/** Turns whatever was thrown into a coded error: what is known stays, an engine that is away is SERVICE_UNAVAILABLE, the rest INTERNAL_ERROR. */
export const toCodedError = (error: unknown): CodedError => {
  if (error instanceof CodedError) return error;
  if (typeof error === 'object' && error !== null && isEngineDown(error)) {
    return new CodedError('SERVICE_UNAVAILABLE', { cause: error });
  }
  return new CodedError('INTERNAL_ERROR', { cause: error });
};
