import type { PRIVACY_ERROR_CODES } from '@florin/proto/privacy/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const PRIVACY_ERRORS: Readonly<Record<keyof typeof PRIVACY_ERROR_CODES, ErrorEntry>> = {
  EXPORT_TOO_LARGE: {
    cause: 'The export has more records than one response can hold.',
    remedy: 'Request the export from the operator, who reads it in pages.',
    repeat: 'no',
  },
  USER_HAS_BALANCE: {
    cause: 'The account holds at least one minor unit of a currency or owes some, or a deposit or withdrawal is under way.',
    remedy: 'Withdraw the balance and wait until everything under way is completed.',
    repeat: 'later',
  },
  USER_HAS_OPEN_HOLDS: {
    cause: 'Card payments are authorized and not yet captured or released.',
    remedy: 'Wait until the merchants have captured or released them, or until they expire.',
    repeat: 'later',
  },
  USER_HAS_OPEN_CHALLENGES: {
    cause: 'A 3-D Secure challenge awaits a decision or its confirmation.',
    remedy: 'Decide the challenge, or wait until it expires.',
    repeat: 'later',
  },
  USER_HAS_OPEN_DISPUTES: {
    cause: 'A dispute about a card payment is undecided.',
    remedy: 'Wait for its decision, or withdraw it. In a sandbox, decide it with POST /sandbox/disputes/{id}/resolve.',
    repeat: 'later',
  },
  USER_HAS_RECENT_PAYMENTS: {
    cause:
      'The latest card payment or clearing is not as long ago as ERASURE_WAIT_DAYS says, 30 days by default: clearings and refunds may still arrive.',
    remedy: 'Cancel the cards, and try again at the time in `erasableFrom`, which the title of the `Link` header has.',
    repeat: 'later',
  },
  USER_IS_BLOCKED: {
    cause: 'The account is blocked, so that the user cannot erase themselves.',
    remedy: 'Contact the operator.',
    repeat: 'no',
  },
};
