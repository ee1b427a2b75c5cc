import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import type { Amount } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';

const TIMEOUT_MS = 10_000;
const PAGE = 100;

/** The sum of an account's entries in one token. */
export type EntryTotals = {
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
   * Adds up the entries of an account, by token. Costs a call per hundred entries.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  totals: (accountId: string) => Promise<ReadonlyMap<string, EntryTotals>>;
  /**
   * The amount of a token that an account can spend.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  available: (accountId: string, token: string) => Promise<Amount>;
  /**
   * The parts of an account's balance that collecting depends on, by token.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  buckets: (accountId: string) => Promise<ReadonlyMap<string, AccountBuckets>>;
};

type Transfer = { debit: string; credit: string; token: string; amount: string };

/** The side of a transfer that is not the account, and the amount that the account received; undefined when it is on both sides or on none. */
const sideOf = (accountId: string, { debit, credit, amount }: Transfer): { other: string; received: Amount } | undefined => {
  const own = (name: string): boolean => name.startsWith(`${accountId}/`);
  if (own(debit) === own(credit)) return undefined;
  return own(credit) ? { other: debit, received: BigInt(amount) } : { other: credit, received: -BigInt(amount) };
};

export const createLedgerEntriesClient = (channel: RpcChannel): LedgerEntriesClient => {
  const client = channel.client(EntryService);
  const balances = channel.client(BalanceService);
  return {
    totals: async (accountId) => {
      const totals = new Map<string, EntryTotals>();
      /** Amount that an entry moved to `settlement`. */
      const settled = new Map<string, Amount>();
      let cursor = '';
      do {
        const listed = client.listTransfers({ accountId, page: { limit: PAGE, cursor } }, { timeoutMs: TIMEOUT_MS });
        // An account that was never opened in the journal has moved nothing.
        const found = await undefinedOn('ACCOUNT_NOT_FOUND', listed);
        for (const { id, transfers } of found?.entries ?? [])
          for (const { debit, credit, amount } of transfers)
            if (debit === 'settlement' || credit === 'settlement')
              settled.set(id, (settled.get(id) ?? 0n) + (credit === 'settlement' ? BigInt(amount) : -BigInt(amount)));
        for (const transfer of found?.entries.flatMap(({ transfers }) => transfers) ?? []) {
          const side = sideOf(accountId, transfer);
          if (side === undefined) continue;
          const sums = totals.get(transfer.token) ?? { booked: 0n, elsewhere: 0n, refused: 0n, nettings: 0, netted: 0n };
          if (side.other === 'chain') totals.set(transfer.token, { ...sums, booked: sums.booked + side.received });
          else {
            const refused = side.other === 'refused' ? sums.refused - side.received : sums.refused;
            totals.set(transfer.token, { ...sums, elsewhere: sums.elsewhere - side.received, refused });
          }
        }
        cursor = found?.page?.nextCursor ?? '';
      } while (cursor !== '');
      for (const [token, sums] of totals) {
        let { nettings, netted } = sums;
        for (;;) {
          const amount = settled.get(nettingId(accountId, token, nettings));
          if (amount === undefined) break;
          nettings += 1;
          netted += amount;
        }
        totals.set(token, { ...sums, nettings, netted });
      }
      return totals;
    },
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
