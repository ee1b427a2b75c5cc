import type { CardNumbersClient } from '../clients/card-numbers.ts';
import type { CardProcessor } from './card-processor.ts';

/** Term of a card. */
const VALID_YEARS = 4;

/**
 * Issues test cards: the vault makes their numbers, and no outside system knows them. The expiry follows from the time of the order, so that
 * the same order always yields the same card. A renewal adds one term to the current expiry.
 */
export const createSandboxCardProcessor = (numbers: CardNumbersClient): CardProcessor => ({
  issueCard: async ({ cardId, userId, requestedAt }, signal) => {
    const expiry = { expMonth: requestedAt.getUTCMonth() + 1, expYear: requestedAt.getUTCFullYear() + VALID_YEARS };
    return { outcome: 'issued', face: await numbers.issue({ cardId, userId, ...expiry }, signal) };
  },
  renewCard: async ({ cardId, expMonth, expYear }, signal) => {
    const face = await numbers.renew({ cardId, expMonth, expYear: expYear + VALID_YEARS }, signal);
    return { outcome: 'renewed', expiry: { expMonth: face.expMonth, expYear: face.expYear } };
  },
});
