import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import type { Amount } from '@florin/rpc/money';

const TIMEOUT_MS = 10_000;
const PAGE = 100;

/** The sum of an account's entries in one token. */
export type EntryTotals = {
  /** From `chain` to the account, less what went back. */
  booked: Amount;
  /** From the account to every other ledger account, less what came back. */
  elsewhere: Amount;
};

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
      let cursor = '';
      do {
        const listed = client.listTransfers({ accountId, page: { limit: PAGE, cursor } }, { timeoutMs: TIMEOUT_MS });
        // An account that was never opened in the journal has moved nothing.
        const found = await undefinedOn('ACCOUNT_NOT_FOUND', listed);
        for (const transfer of found?.entries.flatMap(({ transfers }) => transfers) ?? []) {
          const side = sideOf(accountId, transfer);
          if (side === undefined) continue;
          const { booked, elsewhere } = totals.get(transfer.token) ?? { booked: 0n, elsewhere: 0n };
          const isChain = side.other === 'chain';
          totals.set(
            transfer.token,
            isChain ? { booked: booked + side.received, elsewhere } : { booked, elsewhere: elsewhere - side.received },
          );
        }
        cursor = found?.page?.nextCursor ?? '';
      } while (cursor !== '');
      return totals;
    },
    available: async (accountId, token) => {
      const { currencies } = await balances.getAccountBalances({ accountId }, { timeoutMs: TIMEOUT_MS });
      const row = currencies.flatMap(({ tokens }) => tokens).find((one) => one.token === token);
      return BigInt(row?.spendable ?? '0');
    },
  };
};
