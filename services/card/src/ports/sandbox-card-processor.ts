import type { CardNumbersClient } from '../clients/card-numbers.ts';
import { firstExpiry, nextExpiry } from '../domain/card-term.ts';
import type { CardProcessor } from './card-processor.ts';

/** Issues test cards: the vault makes their numbers, and no outside system knows them. */
export const createSandboxCardProcessor = (numbers: Pick<CardNumbersClient, 'issue' | 'renew'>): CardProcessor => ({
  issueCard: async ({ cardId, userId, requestedAt }, signal) => ({
    outcome: 'issued',
    face: await numbers.issue({ cardId, userId, ...firstExpiry(requestedAt) }, signal),
  }),
  renewCard: async ({ cardId, ...current }, signal) => {
    const { expMonth, expYear } = await numbers.renew({ cardId, ...nextExpiry(current) }, signal);
    return { outcome: 'renewed', expiry: { expMonth, expYear } };
  },
  reportState: async () => undefined,
  reportDispute: async () => undefined,
});
