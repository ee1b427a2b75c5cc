import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { median } from '../row.ts';
import { sized } from '../sized.ts';
import type { BenchAccount } from './accounts.ts';
import type { LedgerStage } from './stage.ts';

const SAMPLES = sized(200, 10);
const WARM_UP = sized(20, 2);
const PAGE = 50;
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Median times of reads of one caller, in milliseconds. `balancesAgain`: of the same accounts, whose pages are in memory then. */
export type ReadTimes = { balances: number; balancesAgain: number; statement: number; balanceAt: number };

const medianTime = async (accounts: readonly BenchAccount[], read: (account: BenchAccount) => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let sample = 0; sample < WARM_UP + SAMPLES; sample += 1) {
    const account = accounts[(sample * 7919) % accounts.length];
    if (account === undefined) throw new Error('no accounts');
    const started = performance.now();
    await read(account);
    times.push(performance.now() - started);
  }
  return median(times.slice(WARM_UP));
};

/**
 * Reads accounts: balances, twice, the newest page of the statement, and the balance at a time. To be called after a restart: the first reads of
 * balances then find no pages in memory.
 * @param at when `balanceAt` looks
 */
export const timeReads = async (stage: LedgerStage, accounts: readonly BenchAccount[], at: Date): Promise<ReadTimes> => {
  const { clients, authority } = stage;
  const tokens = new Map<string, string>();
  for (const { userId } of accounts) tokens.set(userId, await authority.userToken({ wallet: WALLET, userId }));
  const asUser = ({ userId }: BenchAccount) => ({ headers: { authorization: `Bearer ${tokens.get(userId)}` } });
  const readBalances = () => medianTime(accounts, (account) => clients.balances.getBalances({}, asUser(account)));
  return {
    balances: await readBalances(),
    balancesAgain: await readBalances(),
    statement: await medianTime(accounts, (account) => clients.statement.listStatement({ page: { limit: PAGE } }, asUser(account))),
    balanceAt: await medianTime(accounts, ({ accountId }) => clients.balances.getBalanceAt({ accountId, at: timestampFromDate(at) })),
  };
};
