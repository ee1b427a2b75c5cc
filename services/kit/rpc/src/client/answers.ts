import { CodedError, type ErrorCode } from '../errors/index.ts';

/** Codes that mean the same whoever hears them: the service cannot answer now. */
const ALWAYS_KNOWN: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/**
 * Lets those codes of an inner service through that mean the same to our caller. Any other one, UNAUTHORIZED for instance, speaks
 * about our call and not about theirs: it becomes INTERNAL_ERROR, with the cause for the log.
 * @throws CodedError one of `known`, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, INTERNAL_ERROR
 */
export const onlyKnownCodes = async <T>(call: Promise<T>, known: readonly ErrorCode[]): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CodedError && (known.includes(error.code) || ALWAYS_KNOWN.includes(error.code))) throw error;
    throw new CodedError('INTERNAL_ERROR', { cause: error });
  }
};

/** The answer of an inner service, or undefined when it is this code: where an absence is an answer and not a failure. */
export const undefinedOn = async <T>(code: ErrorCode, call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CodedError && error.code === code) return undefined;
    throw error;
  }
};
