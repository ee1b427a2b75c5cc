import { CodedError, type ErrorCode } from '../errors/index.ts';

/** Codes that are always passed on, because they mean the same to every caller: the service is unavailable. */
const ALWAYS_KNOWN: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/**
 * Passes on the error codes of another service that mean the same to the caller of this one. Any other code, for example UNAUTHORIZED,
 * concerns the call between the services: it becomes INTERNAL_ERROR, with the original error as its cause.
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

/** Returns the result of a call, or undefined when it fails with `code`: for calls where absence is a valid result. */
export const undefinedOn = async <T>(code: ErrorCode, call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CodedError && error.code === code) return undefined;
    throw error;
  }
};
