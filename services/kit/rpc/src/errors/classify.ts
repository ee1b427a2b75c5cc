import { CodedError } from './coded-error.ts';
import { isConnectionFault } from './connection-fault.ts';

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

const field = (error: object, key: string): unknown => (error as Record<string, unknown>)[key];

const SERVER_ERRORS = new Set(['MongoServerError', 'MongoBulkWriteError', 'MongoWriteConcernError']);

/** PostgreSQL's `deadlock_detected`, with which FerretDB aborts one of two writes that wait for each other at a unique index: nothing of it was stored. */
export const DEADLOCK = 16_908_292;

/**
 * Server codes for a temporary inability to serve: starting, stopping, stepping down, cut off from the replica set, or too slow for the read's time limit.
 * FerretDB returns 1 (InternalError) while its PostgreSQL is unavailable; MongoDB itself uses 1 for internal faults.
 */
const UNAVAILABLE_CODES = new Set([1, 6, 7, 50, 64, 89, 91, 133, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, DEADLOCK]);

/** How many causes of an error are looked at. */
const MAX_CAUSES = 4;

/** OutOfDiskSpace of MongoDB. */
const OUT_OF_SPACE = 14_031;

/** FerretDB returns PostgreSQL's text with a code of its own. */
const NO_SPACE = /No space left on device/;

/** Reports whether an engine rejected a write because its disk is full. Nothing was stored, and a repetition may succeed later. */
const isOutOfSpace = (error: object): boolean =>
  SERVER_ERRORS.has(String(field(error, 'name'))) &&
  (field(error, 'code') === OUT_OF_SPACE || NO_SPACE.test(String(field(error, 'message'))));

/**
 * Finds the rejection of a write for lack of space in an error or in what caused it.
 * @returns the engine's error
 */
export const findOutOfSpace = (error: unknown): Error | undefined => {
  for (let one = error, depth = 0; one instanceof Error && depth < MAX_CAUSES; one = one.cause, depth += 1)
    if (isOutOfSpace(one)) return one;
  return undefined;
};

const REDIS_REPLIES = new Set(['ErrorReply', 'SimpleError', 'BlobError']);

/** Error replies of a Redis that is running but cannot serve: loading its data set, read-only, or without a master. */
const REDIS_UNAVAILABLE = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN) /;

const isEngineDown = (error: object): boolean => {
  // A thrown object may have no prototype.
  const name = (error.constructor as { name: string } | undefined)?.name ?? '';
  const ownName = field(error, 'name');
  if (UNAVAILABLE_NAMES.has(name) || (typeof ownName === 'string' && UNAVAILABLE_NAMES.has(ownName))) return true;
  if (isConnectionFault(error) || isOutOfSpace(error)) return true;
  const code = field(error, 'code');
  if (REDIS_REPLIES.has(name)) return REDIS_UNAVAILABLE.test(String(field(error, 'message')));
  if (typeof ownName !== 'string' || !SERVER_ERRORS.has(ownName)) return false;
  // The driver wraps what fails during a bulk write, such as the connection, in an error without a code.
  const wrapped = field(error, 'errorResponse');
  if (typeof code !== 'number') return wrapped instanceof Error && isEngineDown(wrapped);
  return UNAVAILABLE_CODES.has(code);
};

/**
 * Converts any thrown value to a coded error. A CodedError is returned as it is, the error of an unavailable engine becomes
 * SERVICE_UNAVAILABLE, anything else INTERNAL_ERROR, each with the thrown value as its cause.
 */
export const toCodedError = (error: unknown): CodedError => {
  if (error instanceof CodedError) return error;
  if (typeof error === 'object' && error !== null && isEngineDown(error)) {
    return new CodedError('SERVICE_UNAVAILABLE', { cause: error });
  }
  return new CodedError('INTERNAL_ERROR', { cause: error });
};
