import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSafeWithdrawalStore, type SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import { createWithdrawalScene, SIGNATURE } from '../testing/withdrawal-scene.ts';
import { settleTransfer } from './settle-transfer.ts';

const WITHDRAWALS = 500;
const AT_ONCE = 10;
const RUN_MS = 900_000;
const MAX_TURNS = 30;

let connection: Awaited<ReturnType<typeof openStore>>['connection'];
let store: SafeWithdrawalStore;
beforeAll(async () => {
  const { mongodbUri, database } = testEngines();
  const opened = await openStore({ uri: mongodbUri, database: `${database}_two_processes`, poolSize: 8, logger: quietLogger });
  ({ connection } = opened);
  store = createSafeWithdrawalStore(connection);
  await opened.ready();
}, 60_000);
afterAll(async () => {
  await connection?.dropDatabase();
  await connection?.close();
});

/** Carries one withdrawal out in two processes at once, each of which may pause before and after everything that it waits for. */
const carryOut = async (index: number): Promise<void> => {
  const { start, offer, booked, jobs, added, execute, advance, transfer } = createWithdrawalScene(store);
  const arrives = index % 2 === 0;
  const { id } = await offer();
  const step = async (): Promise<void> => {
    if (Math.random() < 0.3) await pause(Math.random() * 5);
  };
  const errors: unknown[] = [];
  const work = async (): Promise<void> => {
    const { withdrawals, settling } = start(step);
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      try {
        const current = await store.find(id);
        if (current === undefined || current.status === 'completed' || current.status === 'failed') return;
        if (current.status === 'offered') await withdrawals.submit(current, SIGNATURE);
        else await withdrawals.round(() => false);
        const signed = await store.find(id);
        if (jobs.size === 0 || signed === undefined) continue;
        execute(signed);
        if (arrives) await settleTransfer(settling, transfer);
        advance();
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all([work(), work()]);
  const end = arrives ? 'completed' : 'failed';
  expect((await store.find(id))?.status, `withdrawal ${index}: ${errors.map(String).join('; ')}`).toBe(end);
  // The money left or came back, never both.
  expect([...booked], `withdrawal ${index}`).toEqual([[id, end]]);
  expect(jobs.size).toBe(1);
  expect(new Set(added).size).toBe(1);
};

it('ends each of 500 withdrawals once in two processes that pause anywhere', { timeout: RUN_MS }, async () => {
  for (let from = 0; from < WITHDRAWALS; from += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => carryOut(from + one)));
});
