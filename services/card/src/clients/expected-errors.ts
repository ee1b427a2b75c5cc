import { CodedError, type ErrorCode } from '@florin/kit/errors';

/**
 * Lets the errors that a port documents pass. Any other answer of an inner service is our fault, not our caller's: a service
 * token that is not trusted there must not look like a user token that is bad.
 */
export const onlyExpected =
  (expected: readonly ErrorCode[]) =>
  (error: unknown): never => {
    if (error instanceof CodedError && expected.includes(error.code)) throw error;
    throw new CodedError('INTERNAL_ERROR', { cause: error });
  };
