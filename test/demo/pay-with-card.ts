import assert from 'node:assert/strict';
import type { Client } from '@florin/client';
import { formatAmount } from '@florin/rpc/money';
import { PAYMENT } from '../support/story.ts';
import type { Story } from './play-story.ts';

const MERCHANT = { id: 'M-1', name: 'Bookshop', city: 'Berlin', country: 'DE', categoryCode: '5942' };
const DAILY_LIMIT = '6000';

const euros = (cents: string): string => `${formatAmount(BigInt(cents), 2)} EUR`;

export type Payer = { client: Client; cardId: string; challengeId: string };

/** Plays what the card network does after the approval: authorization, clearings, refund, declines; and reads the statement. */
export const payWithCard = async ({ client, cardId, challengeId }: Payer, { chapter, step }: Story): Promise<void> => {
  const authorize = (amount: string, more: { threeDsChallengeId?: string; repeat?: number } = {}) =>
    client.sandbox.createPayment({ cardId, amount, currency: 'EUR', merchant: MERCHANT, ...more });

  chapter('Card payment on the network');
  await client.cards.updateCardLimits({ cardId, daily: { amount: DAILY_LIMIT, currency: 'EUR' } });
  step('Limit the card', `${euros(DAILY_LIMIT)} a day`);

  const paid = await authorize(PAYMENT.amount, { threeDsChallengeId: challengeId, repeat: 2 });
  assert.equal(paid.approved, true, paid.reason?.code);
  step(
    `Authorize ${euros(PAYMENT.amount)}, sent twice`,
    `approved once, code ${paid.authorizationCode}`,
    `card transaction ${paid.transactionId}`,
  );

  const again = await authorize('100', { threeDsChallengeId: challengeId });
  assert.deepEqual([again.approved, again.reason?.code], [false, 'authentication_invalid']);
  step('Use the same 3DS approval again', `declined ${again.responseCode}: ${again.reason?.message}`);

  const { transactionId } = paid;
  const first = await client.sandbox.clearPayment({ transactionId, amount: '3000', final: false });
  assert.deepEqual([first.status, first.heldAmount, first.clearedAmount], ['pending', '1999', '3000']);
  step('Clear 30.00 EUR, more to come', `${euros(first.heldAmount)} still held`);
  const last = await client.sandbox.clearPayment({ transactionId, amount: '1500' });
  assert.deepEqual([last.status, last.heldAmount, last.clearedAmount], ['settled', '0', '4500']);
  step('Clear 15.00 EUR, the last one', 'settled, the rest is released');
  const refunded = await client.sandbox.refundPayment({ transactionId, amount: '500' });
  assert.equal(refunded.refundedAmount, '500');
  step('Refund 5.00 EUR', `refunded ${euros(refunded.refundedAmount)}`);

  const tooMuch = await authorize('2000');
  assert.deepEqual([tooMuch.approved, tooMuch.reason?.code], [false, 'daily_limit_exceeded']);
  step('Authorize 20.00 EUR above the limit', `declined ${tooMuch.responseCode}: ${tooMuch.reason?.message}`);
  await client.cards.reportCardStolen({ cardId });
  const stolen = await authorize('100');
  assert.deepEqual([stolen.approved, stolen.responseCode], [false, '43']);
  step('Pay with the card after it was stolen', `declined ${stolen.responseCode}: ${stolen.reason?.message}`);

  chapter('Statement');
  const data = await Array.fromAsync(client.userMovements.listStatement());
  const found = await client.cards.getCardTransaction({ transactionId });
  assert.equal(found.threeDs?.challengeId, challengeId);
  let balance = 0n;
  for (const line of data.toReversed()) {
    balance += BigInt(line.amount);
    assert.equal(line.balanceAfter, balance.toString());
    if (line.kind !== 'deposit') {
      assert.equal(line.cardTransactionId, transactionId);
      assert(found.ledgerEntries.includes(line.reference), 'the card transaction names the ledger entry of the line');
    }
  }
  const rows = data.map((line) => `${line.kind} ${formatAmount(BigInt(line.amount), line.decimals).slice(0, -16)} EUR`);
  assert.equal(rows.length, 4);
  step('Read the statement', ...rows);
  assert.equal(balance, 60n * 10n ** 18n);
  step('Add it up', '60.00 EUR, every card line names its transaction');
};
