import { CodedError } from '@florin/rpc/errors';

/** The error RATE_LIMITED. @param waitMs time until a repeat can succeed */
export const rateLimited = (waitMs: number): CodedError =>
  new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(Math.max(1, Math.ceil(waitMs / 1000))) } });
