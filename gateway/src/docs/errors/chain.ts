import type { CHAIN_ERROR_CODES } from '@florin/proto/chain/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const CHAIN_ERRORS: Readonly<Record<keyof typeof CHAIN_ERROR_CODES, ErrorEntry>> = {
  EXCEPTION_NOT_FOUND: {
    cause: 'No transfer with this exception id needs a person.',
    remedy: 'List the exceptions with ListExceptions.',
    repeat: 'no',
  },
  EXCEPTION_STATE_CONFLICT: {
    cause: 'The transfer of the exception is booked already: only one that the ledger refused can be booked again.',
    remedy: 'Decide what to do about it, and record it with CloseException.',
    repeat: 'no',
  },
};
