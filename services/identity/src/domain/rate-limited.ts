import { CodedError } from '@florin/rpc/errors';

const toWait = (code: 'RATE_LIMITED' | 'RESEND_TOO_SOON', waitMs: number): CodedError =>
  new CodedError(code, { metadata: { retryAfterSeconds: String(Math.max(1, Math.ceil(waitMs / 1000))) } });

/** The error RATE_LIMITED. @param waitMs time until a repeat can succeed */
export const rateLimited = (waitMs: number): CodedError => toWait('RATE_LIMITED', waitMs);

/** The error RESEND_TOO_SOON. @param waitMs time until a repeat can succeed */
export const resendTooSoon = (waitMs: number): CodedError => toWait('RESEND_TOO_SOON', waitMs);
