import { expect, it } from 'vitest';
import { depositResolved, depositSeen } from '../domain/deposit.ts';
import type { Intent } from '../domain/draft-block.ts';
import type { Movement } from '../domain/movement.ts';
import { withdrawalReported } from '../domain/withdrawal.ts';
import { placedToWire } from './to-wire-entry.ts';

const ACCOUNT = '019b0000-0000-7000-8000-000000000001';
const TX_HASH = `0x${'ab'.repeat(32)}`;
const token = { symbol: 'EURe', decimals: 18, currency: 'EUR', contract: '' };

const movement: Movement = {
  id: '019b0000-0000-7000-8000-000000000002',
  accountId: ACCOUNT,
  txHash: TX_HASH,
  logIndex: 0,
  token: 'EURe',
  amount: '25',
  decimals: 18,
  currency: 'EUR',
  status: 'pending',
  stage: 0,
  createdAt: new Date(0),
  position: 1,
  asOf: 1,
};

const movementOf = ({ propose }: Intent) => {
  const proposal = propose({} as never, new Date(0));
  if (typeof proposal === 'string') throw new Error(`rejected with ${proposal}`);
  return placedToWire({ ...proposal, booked: [] }, { shard: '0', n: 1, at: new Date(0) }).movement;
};

const facts = { token: 'EURe', amount: '25', decimals: 18, currency: 'EUR', txHash: TX_HASH };

it.each([
  ['deposit that is seen', depositSeen({ chainId: 100, txHash: TX_HASH, logIndex: 0 }, ACCOUNT, token as never, 25n)],
  ['deposit that is approved', depositResolved(movement, 'approved', undefined)],
  ['withdrawal that is under way, although it moves no money', withdrawalReported(movement, 'processing')],
  ['withdrawal that is completed', withdrawalReported(movement, 'completed')],
])('states what a %s is about', (_what, intent) => {
  expect(movementOf(intent)).toMatchObject(facts);
});

it('states the transaction that a report names', () => {
  expect(movementOf(withdrawalReported({ ...movement, txHash: '' }, 'processing'))).toMatchObject({ id: movement.id, txHash: '' });
  expect(movementOf(withdrawalReported({ ...movement, txHash: '' }, 'completed', { txHash: TX_HASH }))).toMatchObject({ txHash: TX_HASH });
});
