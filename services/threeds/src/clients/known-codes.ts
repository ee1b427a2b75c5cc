import { CodedError, type ErrorCode } from '@florin/kit/errors';

const ALWAYS: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/**
 * Lets those codes of an inner service through that mean the same to our caller. Any other one, UNAUTHORIZED for instance, speaks
 * about our call and not about theirs: it becomes INTERNAL_ERROR, with the cause for the log.
 */
export const onlyKnownCodes = async <T>(call: Promise<T>, known: readonly ErrorCode[]): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CodedError && (known.includes(error.code) || ALWAYS.includes(error.code))) throw error;
    throw new CodedError('INTERNAL_ERROR', { cause: error });
  }
};

/** Deadline of a question to another service, repeats included, in milliseconds. A shopper waits at the other end. */
export const INNER_CALL_TIMEOUT_MS = 3000;
