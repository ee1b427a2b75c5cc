import { fillJournal } from '@florin/ledger/testing/fill-journal';
import { processEnvironment } from '@florin/rpc/config';
import { systemRuntime } from '@florin/rpc/runtime';
import { residentMebibytes } from '../../support/process-memory.ts';
import { type Row, rowText } from '../row.ts';
import { sized } from '../sized.ts';
import { type BenchAccount, fundAccounts, openAccounts } from './accounts.ts';
import { type ReadTimes, timeReads } from './reads.ts';
import type { LedgerStage } from './stage.ts';
import { closedLoop, inOneCall, projectionsCaughtUp, spread } from './transfers.ts';

const FEW_ACCOUNTS = sized(1000, 200);
const FUNDS = 1_000_000_000n;
const SHORT_JOURNAL = sized(100_000, 1000);
const ROUND_SECONDS = sized(10, 1);
const ROUNDS = sized(2, 1);
const BATCH = { callers: 8, perCall: 1000 };

/** Sizes of the large ledger; smaller ones are for trying the bench. */
const { BENCH_ACCOUNTS, BENCH_TRANSFERS } = processEnvironment();
const ACCOUNTS = Number(BENCH_ACCOUNTS ?? sized(1_000_000, 400));
const TRANSFERS = Number(BENCH_TRANSFERS ?? sized(10_000_000, 5000));

/** Transfers a second between accounts chosen at random. */
const rateOf = async (stage: LedgerStage, accounts: readonly BenchAccount[], seconds = ROUND_SECONDS): Promise<number> => {
  const { perSecond } = await closedLoop(inOneCall(stage.ownEntries), { ...BATCH, pairing: spread(accounts), seconds });
  await projectionsCaughtUp(stage);
  return perSecond;
};

/** Few against many accounts, in turn, because the speed of a machine changes within minutes. */
const compareRates = async (
  stage: LedgerStage,
  few: readonly BenchAccount[],
  many: readonly BenchAccount[],
  report: (line: string) => void,
): Promise<{ few: number; many: number }> => {
  const sums = { few: 0, many: 0 };
  await rateOf(stage, many);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b] = [await rateOf(stage, few), await rateOf(stage, many)];
    report(`${few.length} accounts: ${a.toFixed(0)}/s, ${many.length} accounts: ${b.toFixed(0)}/s`);
    sums.few += a / ROUNDS;
    sums.many += b / ROUNDS;
  }
  return sums;
};

const readRows = (now: ReadTimes, before: ReadTimes): Row[] =>
  (Object.keys(now) as (keyof ReadTimes)[]).map((read) => ({
    name: `${read}, median`,
    value: now[read],
    unit: 'ms',
    peer: `with ${SHORT_JOURNAL} transfers`,
    ratio: now[read] / before[read],
  }));

/**
 * Measures the cost of many accounts and a long journal: the rate, the memory, the start, and reads. Reports each figure when it is known, because the
 * whole takes long.
 */
export const benchScale = async (stage: LedgerStage, report: (line: string) => void): Promise<Row[]> => {
  const rows: Row[] = [];
  const add = (...more: Row[]): void => {
    rows.push(...more);
    for (const row of more) report(rowText(row));
  };
  const few = await openAccounts(stage, FEW_ACCOUNTS, report);
  await fundAccounts(stage, few, FUNDS.toString());
  await projectionsCaughtUp(stage);
  const fill = (newAccounts: readonly string[], payers: readonly BenchAccount[], transfers: number) =>
    fillJournal({
      mongodbUri: stage.mongodbUri,
      database: stage.database.name,
      newAccounts,
      funds: FUNDS,
      token: 'EURe',
      payers: payers.map(({ accountId }) => accountId),
      transfers,
      report,
    });
  report(`${SHORT_JOURNAL} transfers`);
  await stage.restart('SIGTERM', () => fill([], few, SHORT_JOURNAL));
  const at = new Date();
  const readsBefore = await timeReads(stage, few, at);

  const added = Array.from({ length: ACCOUNTS - FEW_ACCOUNTS }, () => systemRuntime.newId());
  const many = [...few, ...added.map((accountId) => ({ accountId, userId: '' }))];
  report(`${ACCOUNTS} accounts, ${TRANSFERS} transfers`);
  await stage.restart('SIGTERM', () => fill(added, many, TRANSFERS));
  const rates = await compareRates(stage, few, many, report);
  add(
    {
      name: `batched, ${ACCOUNTS} accounts`,
      value: rates.many,
      unit: 'transfers/s',
      peer: `${FEW_ACCOUNTS} accounts`,
      ratio: rates.many / rates.few,
    },
    { name: `RSS after the load, ${TRANSFERS} transfers`, value: residentMebibytes(stage.pid()), unit: 'MiB' },
  );
  const restart = await stage.restart();
  add(
    { name: 'restart to serving', value: restart, unit: 's' },
    { name: 'RSS after the restart', value: residentMebibytes(stage.pid()), unit: 'MiB' },
  );
  add(...readRows(await timeReads(stage, few, at), readsBefore));
  await rateOf(stage, many, 2);
  add({ name: 'restart to serving after a kill', value: await stage.restart('SIGKILL'), unit: 's' });
  report('verify');
  await stage.verify();
  return rows;
};
