import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService, type EntrySums } from '@florin/proto/ledger/v1/entry_service';
import type { RpcChannel } from '@florin/rpc/client';
import { createCoalescer } from '@florin/rpc/coalesce';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';

const TIMEOUT_MS = 10_000;

/** Accounts of one call, and calls at the same time. */
const [ACCOUNTS, CALLS] = [100, 4];

/** The sum of an account's entries in one token, and parts of its balance, which may know of entries that were booked while the sums were made. */
export type EntryTotals = AccountBuckets & {
  /** From `chain` to the account, less what went back. */
  booked: Amount;
  /** From the account to every other ledger account, less what came back. */
  elsewhere: Amount;
  /** Part of `elsewhere`: deposits that screening rejected. They are in the Safe, and are nobody's to spend or to collect. */
  refused: Amount;
  /** Entries by which `settlement` and the account's settling money were netted (`nettingId`). */
  nettings: number;
  /** Amount that these moved to `settlement`, less the amount that they moved back. */
  netted: Amount;
};

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
   * The amount of a token that an account can spend.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  available: (accountId: string, token: string) => Promise<Amount>;
  /**
   * Parts of an account's balance, by token, without its entries.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  buckets: (accountId: string) => Promise<ReadonlyMap<string, AccountBuckets>>;
};

type Nettings = Pick<EntryTotals, 'nettings' | 'netted'>;

/** The sums of an account that several calls may have made, and what each of its entries has moved from its settling money to `settlement`. */
type Found = { sums: Map<string, Omit<EntryTotals, keyof Nettings>>; settled: Map<string, Amount> };

const add = ({ sums, settled }: Found, { tokens, settled: entries }: EntrySums): void => {
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
};

/** The nettings of an account in a token, among what its entries have moved. */
const nettingsOf = (accountId: string, token: string, settled: Found['settled']): Nettings => {
  let [nettings, netted] = [0, 0n];
  for (;;) {
    const amount = settled.get(nettingId(accountId, token, nettings));
    if (amount === undefined) return { nettings, netted };
    nettings += 1;
    netted += amount;
  }
};

const totalsOf = (accountId: string, { sums, settled }: Found): ReadonlyMap<string, EntryTotals> =>
  new Map([...sums].map(([token, own]) => [token, { ...own, ...nettingsOf(accountId, token, settled) }]));

export const createLedgerEntriesClient = (channel: RpcChannel): LedgerEntriesClient => {
  const client = channel.client(EntryService);
  const balances = channel.client(BalanceService);
  const totals = createCoalescer<string, ReadonlyMap<string, EntryTotals>>({
    maxItems: ACCOUNTS,
    maxCalls: CALLS,
    // An account whose entries cannot be read does not keep those of the others back.
    mayBlameItem: (error) => error instanceof CodedError && error.code === 'INTERNAL_ERROR',
    send: async (accountIds) => {
      const found = new Map(accountIds.map((id): [string, Found] => [id, { sums: new Map(), settled: new Map() }]));
      let accounts = [...found.keys()].map((accountId) => ({ accountId, cursor: '' }));
      while (accounts.length > 0) {
        const { sums } = await client.sumEntries({ accounts }, { timeoutMs: TIMEOUT_MS });
        for (const one of sums) add(found.get(one.accountId) as Found, one);
        accounts = sums.flatMap(({ accountId, nextCursor: cursor }) => (cursor === '' ? [] : [{ accountId, cursor }]));
      }
      return accountIds.map((id) => totalsOf(id, found.get(id) as Found));
    },
  });
  return {
    totals,
    available: async (accountId, token) => {
      const { currencies } = await balances.getAccountBalances({ accountId }, { timeoutMs: TIMEOUT_MS });
      const row = currencies.flatMap(({ tokens }) => tokens).find((one) => one.token === token);
      return BigInt(row?.spendable ?? '0');
    },
    buckets: async (accountId) => {
      const { currencies } = await balances.getAccountBalances({ accountId }, { timeoutMs: TIMEOUT_MS });
      const rows = currencies.flatMap(({ tokens }) => tokens);
      return new Map(
        rows.map(({ token, settling, held, processingDeposits }) => [
          token,
          // An instance of an earlier release says nothing of holds.
          { settling: BigInt(settling), held: BigInt(held === '' ? '0' : held), incoming: BigInt(processingDeposits) },
        ]),
      );
    },
  };
};
