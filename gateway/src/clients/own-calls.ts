import type { CallOptions } from '@connectrpc/connect';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'USER_NOT_REGISTERED', 'FORBIDDEN']);

/** Makes a call with the gateway's own service token. */
export type OwnCall = <T>(call: (options: CallOptions) => Promise<T>) => Promise<T>;

/**
 * Calls in the gateway's own name. A service that rejects the gateway itself (key, scope or clock) is a fault of the platform, so
 * the caller gets INTERNAL_ERROR and not a 401 about a token that they did not send.
 */
export const createOwnCall =
  (options: CallOptions): OwnCall =>
  async (call) => {
    try {
      return await call(options);
    } catch (error) {
      if (error instanceof CodedError && REFUSALS.has(error.code)) throw new CodedError('INTERNAL_ERROR', { cause: error });
      throw error;
    }
  };
