import { randomInt, randomUUID } from 'node:crypto';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

const { PROCESSING, COMPLETED, FAILED } = WithdrawalStatus;
const COUNT = 24;

const ledgers: TestLedger[] = [];
beforeAll(async () => {
  const environment = ledgerEnvironment();
  ledgers.push(await startLedger(environment), await startLedger(environment));
});
afterAll(async () => {
  await Promise.all(ledgers.map((ledger) => ledger.close()));
});

const anyLedger = (): TestLedger => ledgers[randomInt(ledgers.length)] ?? expect.fail('no ledger');

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: randomInt(1_000_000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

it('applies every report once when reports repeat, race and are reordered on two instances', async () => {
  const first = anyLedger();
  const account = await first.open();
  const total = 1n << BigInt(COUNT);
  await first.fund(account, 'EURe', total.toString());
  await waitFor('both to know the account', async () =>
    (await Promise.all(ledgers.map((ledger) => ledger.tokenBalances(account).catch(() => ({}))))).every(
      (tokens: Partial<Awaited<ReturnType<TestLedger['tokenBalances']>>>) => tokens['EURe']?.spendable === total.toString(),
    )
      ? true
      : undefined,
  );

  const ends = await Promise.all(
    Array.from({ length: COUNT }, async (_, index) => {
      const id = randomUUID();
      const create = () => anyLedger().withdraw(account, 'EURe', (1n << BigInt(index)).toString(), id);
      await Promise.all([create(), create()]);
      const accepted: WithdrawalStatus[] = [];
      const report = async (status: WithdrawalStatus) => {
        const code = await codeOf(anyLedger().movements.updateWithdrawal({ withdrawalId: id, status }, first.operator));
        expect(['no error', 'WITHDRAWAL_STATE_CONFLICT']).toContain(code);
        if (code === 'no error' && status !== PROCESSING) accepted.push(status);
      };
      const reports = shuffled([PROCESSING, PROCESSING, COMPLETED, COMPLETED, ...(index % 2 === 0 ? [FAILED, FAILED] : [PROCESSING])]);
      if (index % 3 === 0) for (const status of reports) await report(status);
      else await Promise.all([...reports.map(report), create()]);
      // Of two ends that contradict each other one was accepted, each time that it was reported.
      expect(accepted).toEqual([accepted[0], accepted[0]]);
      return { id, end: accepted[0] };
    }),
  );

  const { withdrawals } = await first.movements.listWithdrawals({ page: { limit: 100, cursor: '' } }, account.user);
  expect(new Map(withdrawals.map(({ id, status }) => [id, status]))).toEqual(new Map(ends.map(({ id, end }) => [id, end])));
  const left = ends.reduce((sum, { end }, index) => sum - (end === COMPLETED ? 1n << BigInt(index) : 0n), total);
  await waitFor('both instances to show it', async () => {
    const rows = await Promise.all(ledgers.map(async (ledger) => (await ledger.tokenBalances(account))['EURe']));
    return rows.every((row) => row?.spendable === left.toString() && row.row.processingWithdrawals === '0') ? true : undefined;
  });
  expect(await first.verify()).toMatchObject({ ok: true, problem: '' });
});
