import { describe, expect, it } from 'vitest';
import type { CardNumbersClient } from '../clients/card-numbers.ts';
import { createSandboxCardProcessor } from './choose-card-processor.ts';

const ORDER = {
  cardId: '01890a5d-ac96-774b-bcce-b302099a8057',
  userId: 'u',
  accountId: 'a',
  name: 'Everyday',
  requestedAt: new Date('2025-12-31T23:59:59Z'),
};

/** A vault that repeats the expiry that was asked for. */
const numbers: CardNumbersClient = {
  issue: async ({ expMonth, expYear }) => ({ last4: '4242', expMonth, expYear, network: 'visa' }),
  renew: async ({ expMonth, expYear }) => ({ last4: '4242', expMonth, expYear, network: 'visa' }),
  seal: async () => 'sealed',
};
const signal = AbortSignal.timeout(60_000);

describe('sandbox processor', () => {
  it('issues for four years from the month of the order, the same on each repeat', async () => {
    const processor = createSandboxCardProcessor(numbers);
    const result = await processor.issueCard(ORDER, signal);
    expect(result).toEqual({ outcome: 'issued', face: { last4: '4242', expMonth: 12, expYear: 2029, network: 'visa' } });
    expect(await processor.issueCard(ORDER, signal)).toEqual(result);
  });

  it('renews for four more years', async () => {
    const renewed = await createSandboxCardProcessor(numbers).renewCard({ cardId: ORDER.cardId, expMonth: 12, expYear: 2029 }, signal);
    expect(renewed).toEqual({ outcome: 'renewed', expiry: { expMonth: 12, expYear: 2033 } });
  });
});
