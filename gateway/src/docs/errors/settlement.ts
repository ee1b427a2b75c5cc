import type { SETTLEMENT_ERROR_CODES } from '@florin/proto/settlement/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const SETTLEMENT_ERRORS: Readonly<Record<keyof typeof SETTLEMENT_ERROR_CODES, ErrorEntry>> = {
  DAY_NOT_CLOSED: {
    cause: 'The day of settlement is open. Raised over gRPC only.',
    remedy: 'Close the day first.',
    repeat: 'later',
  },
  DAY_NOT_ENDED: {
    cause: 'A day of settlement can be closed once it has ended (UTC). Raised over gRPC only.',
    remedy: 'Close it on the next day.',
    repeat: 'later',
  },
};
