import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryResultCode as Code } from '@florin/proto/ledger/v1/entry';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import type { RpcChannel } from '@florin/rpc/client';
import { createEntriesClient } from '@florin/rpc/entries';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { DeclineCode } from '../domain/decline-codes.ts';

/** Longest wait for an order. Requests that are decided in real time give up earlier. */
const TIMEOUT_MS = 4000;

/** What every order names. Amounts are in the token's smallest unit. */
type Order = { accountId: string; token: string; amount: Amount; paymentId: string };

export type HoldOrder = Order & {
  holdId: string;
  expiresAt: Date;
  /** Holds regardless of balance and state of the account. */
  forced?: boolean;
  /** Distinguishes orders with the same id, which then conflict. */
  purpose: string;
};

type HoldChange = Order & { holdId: string; changeId: string };

/** `held`: by this order or an equal one before. `conflict`: the id belongs to another order. Otherwise why nothing is held. */
export type HoldResult = 'held' | 'conflict' | DeclineCode;

/** The ledger's holds and entries. A rejection means that the outcome is unknown, unless it is one of the codes that a method lists. */
export type HoldsClient = {
  open: (order: HoldOrder) => Promise<HoldResult>;
  increase: (change: HoldChange & { expiresAt?: Date; forced?: boolean }) => Promise<HoldResult>;
  /** Releases a part; nothing happens to a hold that has ended. */
  decrease: (change: HoldChange) => Promise<void>;
  /** Releases all; nothing happens to a hold that has ended or never existed. */
  void: (hold: { accountId: string; holdId: string }) => Promise<void>;
  /** Books a posting whatever the balance. @returns the ledger's id of the entry */
  post: (posting: Order & { holdId: string; postingId: string; keepOpen: boolean }) => Promise<string>;
  /** Moves money between the account and a system account, whatever the balance. */
  transfer: (order: Order & { entryId: string; direction: 'credit' | 'debit'; system: string; purpose: string }) => Promise<void>;
  /** What the account has available. */
  available: (accountId: string, token: string) => Promise<Amount>;
};

const RESULTS: Readonly<Partial<Record<Code, HoldResult>>> = {
  [Code.CREATED]: 'held',
  [Code.EXISTS]: 'held',
  [Code.EXISTS_WITH_DIFFERENT_CONTENT]: 'conflict',
  [Code.INSUFFICIENT_FUNDS]: 'insufficient_funds',
  [Code.ACCOUNT_BLOCKED]: 'account_blocked',
  [Code.ACCOUNT_NOT_ACTIVE]: 'account_blocked',
  [Code.ACCOUNT_CLOSED]: 'account_closed',
  [Code.ACCOUNT_NOT_FOUND]: 'account_closed',
  [Code.HOLD_EXPIRED]: 'transaction_invalid',
  [Code.HOLD_LIMIT_REACHED]: 'system_error',
};

const INCREASE_RESULTS: Readonly<Record<string, HoldResult>> = {
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  ACCOUNT_BLOCKED: 'account_blocked',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  HOLD_ALREADY_RESOLVED: 'transaction_invalid',
  HOLD_EXPIRED: 'transaction_invalid',
  HOLD_NOT_FOUND: 'transaction_invalid',
};

const ENDED: ReadonlySet<string> = new Set(['HOLD_ALREADY_RESOLVED', 'HOLD_EXPIRED', 'HOLD_NOT_FOUND']);

const unlessEnded = async (call: Promise<unknown>): Promise<void> => {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof CodedError) || !ENDED.has(error.code)) throw error;
  }
};

const settlingOf = (accountId: string): string => `${accountId}/settling`;
const metadataOf = (paymentId: string, reason: string) => ({ actor: 'card', reason, externalReference: paymentId });

export const createHoldsClient = (channel: RpcChannel): HoldsClient => {
  const entries = createEntriesClient(channel);
  const holds = channel.client(HoldService);
  const balances = channel.client(BalanceService);
  const options = { timeoutMs: TIMEOUT_MS };

  const transfersOf = ({ accountId, token, amount }: Omit<Order, 'paymentId'>) => [
    { debit: accountId, credit: settlingOf(accountId), token, amount: amount.toString() },
  ];

  return {
    open: async ({ holdId, expiresAt, forced = false, purpose, paymentId, ...order }) => {
      const hold = { entryId: holdId, transfers: transfersOf(order), holdExpiresAt: timestampFromDate(expiresAt), forced };
      const code = await entries.create({ ...hold, metadata: metadataOf(paymentId, purpose) }, options);
      const result = RESULTS[code];
      if (result === undefined) throw new CodedError('INTERNAL_ERROR', { message: `the ledger refused a hold with code ${code}` });
      return result;
    },

    increase: async ({ accountId, holdId, changeId, amount, expiresAt, forced = false }) => {
      const until = expiresAt === undefined ? {} : { expiresAt: timestampFromDate(expiresAt) };
      try {
        await holds.increaseHold({ accountId, holdId, changeId, amount: amount.toString(), forced, ...until }, options);
        return 'held';
      } catch (error) {
        const result = error instanceof CodedError ? INCREASE_RESULTS[error.code] : undefined;
        if (result === undefined) throw error;
        return result;
      }
    },

    decrease: ({ accountId, holdId, changeId, amount }) =>
      unlessEnded(holds.decreaseHold({ accountId, holdId, changeId, amount: amount.toString() }, options)),

    void: ({ accountId, holdId }) => unlessEnded(holds.voidHold({ accountId, holdId }, options)),

    post: async ({ accountId, holdId, postingId, keepOpen, token, amount, paymentId }) => {
      const posting = { accountId, holdId, postingId, keepOpen, forced: true, metadata: metadataOf(paymentId, 'clearing') };
      const { entry } = await holds.postHold({ ...posting, transfers: transfersOf({ accountId, token, amount }) }, options);
      return entry?.id ?? postingId;
    },

    transfer: async ({ entryId, accountId, system, direction, token, amount, paymentId, purpose }) => {
      const [debit, credit] = direction === 'credit' ? [system, accountId] : [accountId, system];
      const transfers = [{ debit, credit, token, amount: amount.toString() }];
      const code = await entries.create({ entryId, transfers, forced: true, metadata: metadataOf(paymentId, purpose) }, options);
      if (code !== Code.CREATED && code !== Code.EXISTS) {
        throw new CodedError('INTERNAL_ERROR', { message: `the ledger refused a transfer with code ${code}` });
      }
    },

    available: async (accountId, token) => {
      const { currencies } = await balances.getAccountBalances({ accountId }, options);
      const row = currencies.flatMap(({ tokens }) => tokens).find((candidate) => candidate.token === token);
      return BigInt(row?.spendable ?? '0');
    },
  };
};
