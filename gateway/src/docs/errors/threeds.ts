import type { THREEDS_ERROR_CODES } from '@florin/proto/threeds/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const THREEDS_ERRORS: Readonly<Record<keyof typeof THREEDS_ERROR_CODES, ErrorEntry>> = {
  CHALLENGE_NOT_FOUND: {
    cause: 'The challenge does not exist or does not belong to the caller.',
    remedy: 'Check the id with GET /3ds/challenges.',
    repeat: 'no',
  },
  CHALLENGE_STATE_CONFLICT: {
    cause: 'The status of the challenge does not allow the change.',
    remedy: 'Read the current state of the challenge.',
    repeat: 'no',
  },
  DECISION_NOT_AVAILABLE: {
    cause: 'The challenge has expired, or was cancelled or failed, so that it can no longer be decided.',
    remedy: 'Read the challenge and show its status. The cardholder can pay again, which raises a new challenge.',
    repeat: 'no',
  },
  DECISION_ALREADY_MADE: {
    cause: 'The challenge was decided the other way.',
    remedy: 'Read the challenge and show its decision.',
    repeat: 'no',
  },
  RECEIPT_NOT_FOUND: {
    cause: 'The challenge has no receipt, because it was not decided.',
    remedy: 'Read the challenge first.',
    repeat: 'no',
  },
  AUTHENTICATION_NOT_USABLE: {
    cause: 'The challenge is not approved, was approved for another card, currency or a smaller amount, or was used by another payment.',
    remedy: 'Ask the cardholder for a new approval.',
    repeat: 'no',
  },
};
