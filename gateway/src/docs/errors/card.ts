import type { CARD_ERROR_CODES } from '@florin/proto/card/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const CARD_ERRORS: Readonly<Record<keyof typeof CARD_ERROR_CODES, ErrorEntry>> = {
  PHONE_REQUIRED: {
    cause: 'The first card creates the cardholder, which requires a phone number.',
    remedy: 'Add `phone` to the request.',
    repeat: 'no',
  },
  PHONE_NOT_VERIFIED: {
    cause: 'The platform requires a verified phone number before the first card.',
    remedy: 'Verify the number with POST /phone/verification and PATCH /phone.',
    repeat: 'after_remedy',
  },
  CARDHOLDER_NOT_FOUND: {
    cause: 'The user has no cardholder. The first card creates it.',
    remedy: 'Create a card with POST /cards/virtual first.',
    repeat: 'after_remedy',
  },
  CARD_NOT_FOUND: {
    cause: 'The card does not exist or does not belong to the caller.',
    remedy: 'Check the id with GET /cards.',
    repeat: 'no',
  },
  CARD_NOT_ACTIVE: {
    cause: 'The card is frozen, cancelled, lost, stolen or expired.',
    remedy: 'Unfreeze the card, or use another one.',
    repeat: 'after_remedy',
  },
  CARD_LIMIT_REACHED: {
    cause: 'The user has five live cards.',
    remedy: 'Cancel a card first.',
    repeat: 'after_remedy',
  },
  CARD_ORDER_LIMIT_REACHED: {
    cause: 'As many cards were ordered within 24 hours as the card program permits, cancelled and replaced ones included: ten by default.',
    remedy: 'Wait for the time in the Retry-After header.',
    repeat: 'later',
  },
  CARD_ISSUING_FAILED: {
    cause: 'The card processor could not issue the card.',
    remedy: 'Repeat the request with the same Idempotency-Key after a short wait.',
    repeat: 'later',
  },
  CARD_STATE_CONFLICT: {
    cause:
      "The card's state does not allow the operation, for example unfreezing a cancelled card or replacing one that is neither lost nor stolen.",
    remedy: 'Read the card and offer only what its status allows.',
    repeat: 'no',
  },
  FROZEN_BY_ISSUER: {
    cause: 'The issuer has frozen the card. The cardholder cannot lift that.',
    remedy: 'Refer the cardholder to support.',
    repeat: 'no',
  },
  PAYMENT_NOT_FOUND: {
    cause: 'The card transaction does not exist or does not belong to the caller, or the id of a dispute names none.',
    remedy:
      'Check the id with GET /cards/transactions. It is `paymentId` in events, `transactionId` in a sandbox, and `cardTransactionId` in the statement and in challenges.',
    repeat: 'no',
  },
  DISPUTE_NOT_AVAILABLE: {
    cause:
      'Less than the amount of the dispute was cleared and is neither refunded nor in another dispute; the card transaction has 20 disputes, withdrawn ones included; or the dispute has another outcome.',
    remedy: 'Read the card transaction; its disputes, if there are any, are in it.',
    repeat: 'no',
  },
  LIMIT_ABOVE_PROGRAM: {
    cause:
      'A limit is above the maximum of the card program. The title of the `Link` header names the limit as `field`, and the maximum in minor units as `limit`.',
    remedy: 'Choose a limit up to the maximum.',
    repeat: 'no',
  },
  CURRENCY_NOT_SUPPORTED: {
    cause: 'There is no exchange rate from the currency to the one that the card is billed in.',
    remedy:
      'Use the currency of the card, or send `billingAmount` where the operation takes it. Rates are configured by the operator (`FX_RATES`).',
    repeat: 'after_remedy',
  },
};
