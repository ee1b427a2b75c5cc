import { CodedError, type ErrorCode } from '../errors/index.ts';

/** Returns the result of a call, or undefined when it fails with `code`: for calls where absence is a valid result. */
export const undefinedOn = async <T>(code: ErrorCode, call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CodedError && error.code === code) return undefined;
    throw error;
  }
};

/** Reports whether a stream ended because the token that opened it has expired, which happens every few minutes. */
export const isTokenExpiry = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'UNAUTHORIZED' && error.metadata?.['tokenProblem'] === 'expired';
