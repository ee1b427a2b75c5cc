import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService, type EntrySums } from '@florin/proto/ledger/v1/entry_service';
import type { RpcChannel } from '@florin/rpc/client';
import { createCoalescer } from '@florin/rpc/coalesce';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';
import type { EntrySum, KnownSums } from '../domain/entry-sums.ts';

const TIMEOUT_MS = 10_000;

/** Accounts of one call, and calls at the same time. */
const [ACCOUNTS, CALLS] = [100, 4];

/** The sum of an account's entries in one token, and parts of its balance, which may know of entries that were booked while the sums were made. */
export type EntryTotals = EntrySum & AccountBuckets;

/** Parts of an account's balance in one token. */
export type AccountBuckets = {
  /** Spent by card, and still in the Safe. */
  settling: Amount;
  /** Set aside for card payments that are not cleared. */
  held: Amount;
  /** Deposits that are not screened yet. */
  incoming: Amount;
};

/** Id of the entry by which an account's refunds and spending are netted for the n-th time: each happens once. */
export const nettingId = (accountId: string, token: string, n: number): string => derivedId(`florin/netting/${accountId}/${token}/${n}`);

/** The ledger's entries. */
export type LedgerEntriesClient = {
  /**
   * Adds up the entries of an account, by token. Accounts that are asked for at the same time share calls.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, INTERNAL_ERROR
   */
  totals: (accountId: string) => Promise<ReadonlyMap<string, EntryTotals>>;
  /**
   * The same, reading only the entries after those of known sums, if the ledger still has the last of these.
   * @returns `sums`: those of all entries, to be known next time; undefined if the account has none, or the ledger is of a release that cannot continue sums
   */
  totalsAfter: (accountId: string, known: KnownSums | undefined) => Promise<Outcome>;
  /**
   * The amounts that an account can spend, or could if it were not blocked, by token.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  available: (accountId: string) => Promise<ReadonlyMap<string, Amount>>;
  /**
   * Parts of an account's balance, by token, without its entries.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  buckets: (accountId: string) => Promise<ReadonlyMap<string, AccountBuckets>>;
};

type Nettings = Pick<EntryTotals, 'nettings' | 'netted'>;

/** An account's known sums, and what calls have added up since. */
type Found = {
  known: KnownSums | undefined;
  sums: Map<string, Omit<EntryTotals, keyof Nettings>>;
  /** Moved from its settling money to `settlement`, by entry. */
  settled: Map<string, Amount>;
  position: string;
  follows: boolean;
};

const add = (found: Found, { tokens, settled: entries, position, follows }: EntrySums): void => {
  const { sums, settled } = found;
  for (const { token, booked, elsewhere, refused, settling, held, incoming } of tokens) {
    const before = sums.get(token);
    sums.set(token, {
      booked: BigInt(booked) + (before?.booked ?? 0n),
      elsewhere: BigInt(elsewhere) + (before?.elsewhere ?? 0n),
      refused: BigInt(refused) + (before?.refused ?? 0n),
      ...{ settling: BigInt(settling), held: BigInt(held), incoming: BigInt(incoming) },
    });
  }
  for (const { entryId, amount } of entries) settled.set(entryId, (settled.get(entryId) ?? 0n) + BigInt(amount));
  found.position ||= position;
  found.follows = follows;
};

/** The nettings of an account in a token: those that are known, and the next ones among what its entries have moved. */
const nettingsAfter = (accountId: string, token: string, known: EntrySum, settled: Found['settled']): Nettings => {
  let { nettings, netted } = known;
  for (;;) {
    const amount = settled.get(nettingId(accountId, token, nettings));
    if (amount === undefined) return { nettings, netted };
    nettings += 1;
    netted += amount;
  }
};

const NO_SUM: EntrySum = { booked: 0n, elsewhere: 0n, refused: 0n, nettings: 0, netted: 0n };
const NO_BUCKETS: AccountBuckets = { settling: 0n, held: 0n, incoming: 0n };

const totalsOf = (accountId: string, { known, sums, settled, follows }: Found): ReadonlyMap<string, EntryTotals> => {
  const before = follows ? known?.tokens : undefined;
  const tokens = new Set([...(before?.keys() ?? []), ...sums.keys()]);
  const one = (token: string): EntryTotals => {
    const [base, more] = [before?.get(token) ?? NO_SUM, sums.get(token) ?? { ...NO_SUM, ...NO_BUCKETS }];
    return {
      ...more,
      booked: base.booked + more.booked,
      elsewhere: base.elsewhere + more.elsewhere,
      refused: base.refused + more.refused,
      ...nettingsAfter(accountId, token, base, settled),
    };
  };
  return new Map([...tokens].map((token) => [token, one(token)]));
};

/** Totals of an account, and its sums, to be known next time. */
type Outcome = { totals: ReadonlyMap<string, EntryTotals>; sums: KnownSums | undefined };

const outcomeOf = (accountId: string, found: Found): Outcome => {
  const totals = totalsOf(accountId, found);
  const tokens = new Map([...totals].map(([token, { settling: _settling, held: _held, incoming: _incoming, ...sum }]) => [token, sum]));
  return { totals, sums: found.position === '' ? undefined : { position: found.position, tokens } };
};

export const createLedgerEntriesClient = (channel: RpcChannel): LedgerEntriesClient => {
  const client = channel.client(EntryService);
  const balances = channel.client(BalanceService);
  const ask = createCoalescer<{ accountId: string; known: KnownSums | undefined }, Outcome>({
    maxItems: ACCOUNTS,
    maxCalls: CALLS,
    // An account whose entries cannot be read does not keep those of the others back.
    mayBlameItem: (error) => error instanceof CodedError && error.code === 'INTERNAL_ERROR',
    send: async (asked) => {
      // Of an account that is asked for twice, the sums that one knows serve the other too.
      const found = new Map(
        asked.map(({ accountId, known }): [string, Found] => [
          accountId,
          { known, sums: new Map(), settled: new Map(), position: '', follows: false },
        ]),
      );
      const toSum = (accountId: string, cursor: string) => ({ accountId, cursor, after: found.get(accountId)?.known?.position ?? '' });
      let accounts = [...found.keys()].map((accountId) => toSum(accountId, ''));
      while (accounts.length > 0) {
        const { sums } = await client.sumEntries({ accounts }, { timeoutMs: TIMEOUT_MS });
        for (const one of sums) add(found.get(one.accountId) as Found, one);
        accounts = sums.flatMap(({ accountId, nextCursor }) => (nextCursor === '' ? [] : [toSum(accountId, nextCursor)]));
      }
      const outcomes = new Map([...found].map(([accountId, one]) => [accountId, outcomeOf(accountId, one)]));
      return asked.map(({ accountId }) => outcomes.get(accountId) as Outcome);
    },
  });
  const rowsOf = async (accountId: string) => {
    const { currencies } = await balances.getAccountBalances({ accountId }, { timeoutMs: TIMEOUT_MS });
    return currencies.flatMap(({ tokens }) => tokens);
  };
  const totalsAfter: LedgerEntriesClient['totalsAfter'] = (accountId, known) => ask({ accountId, known });
  return {
    totals: async (accountId) => (await totalsAfter(accountId, undefined)).totals,
    totalsAfter,
    available: async (accountId) =>
      new Map(
        (await rowsOf(accountId)).map(({ token, spendable, nonSpendable, held }) => [
          token,
          // Available money of a blocked account is not spendable. An instance of an earlier release says nothing of holds.
          BigInt(spendable) + (held === '' ? 0n : BigInt(nonSpendable) - BigInt(held)),
        ]),
      ),
    buckets: async (accountId) =>
      new Map(
        (await rowsOf(accountId)).map(({ token, settling, held, processingDeposits }) => [
          token,
          // An instance of an earlier release says nothing of holds.
          { settling: BigInt(settling), held: BigInt(held === '' ? '0' : held), incoming: BigInt(processingDeposits) },
        ]),
      ),
  };
};
