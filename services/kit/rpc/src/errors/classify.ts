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
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoOperationTimeoutError',
  'MongooseServerSelectionError',
  'PoolClearedOnNetworkError',
  // redis client
  'ClientClosedError',
  'ClientOfflineError',
  'ConnectionTimeoutError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
  'SocketTimeoutDuringMaintenanceError',
  'CommandTimeoutDuringMaintenanceError',
  'TimeoutError',
  'DisconnectsClientError',
  'ReconnectStrategyError',
]);

const UNAVAILABLE_CAUSES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

const SERVER_ERRORS = new Set(['MongoServerError', 'MongoBulkWriteError', 'MongoWriteConcernError']);

/**
 * Codes of a server that cannot serve right now: starting, stopping, losing its primary, cut off from the others.
 * FerretDB answers 1, InternalError, while its PostgreSQL is away; MongoDB itself uses that for internal faults.
 */
const UNAVAILABLE_CODES = new Set([1, 6, 7, 64, 89, 91, 133, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436]);

const REDIS_REPLIES = new Set(['ErrorReply', 'SimpleError', 'BlobError']);

/** How the replies of a Redis begin that is up and cannot serve: reading its file after a crash, losing its master. */
const REDIS_UNAVAILABLE = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /;

const field = (error: object, key: string): unknown => (error as Record<string, unknown>)[key];

const isEngineDown = (error: object): boolean => {
  // A thrown object may have no prototype.
  const name = (error.constructor as { name: string } | undefined)?.name ?? '';
  const ownName = field(error, 'name');
  if (UNAVAILABLE_NAMES.has(name) || (typeof ownName === 'string' && UNAVAILABLE_NAMES.has(ownName))) return true;
  const code = field(error, 'code');
  if (typeof code === 'string' && UNAVAILABLE_CAUSES.has(code)) return true;
  if (REDIS_REPLIES.has(name)) return REDIS_UNAVAILABLE.test(String(field(error, 'message')));
  return typeof ownName === 'string' && SERVER_ERRORS.has(ownName) && typeof code === 'number' && UNAVAILABLE_CODES.has(code);
};

/** Turns whatever was thrown into a coded error: what is known stays, an engine that is away is SERVICE_UNAVAILABLE, the rest INTERNAL_ERROR. */
export const toCodedError = (error: unknown): CodedError => {
  if (error instanceof CodedError) return error;
  if (typeof error === 'object' && error !== null && isEngineDown(error)) {
    return new CodedError('SERVICE_UNAVAILABLE', { cause: error });
  }
  return new CodedError('INTERNAL_ERROR', { cause: error });
};
