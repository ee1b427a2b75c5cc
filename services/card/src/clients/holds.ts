import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryResultCode as Code } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_ERROR_CODES } from '@florin/proto/ledger/v1/error-codes';
import { HoldStatus } from '@florin/proto/ledger/v1/hold';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import type { RpcChannel } from '@florin/rpc/client';
import { createEntriesClient } from '@florin/rpc/entries';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { DeclineCode } from '../domain/decline-codes.ts';

/** Longest wait for an order. Requests that are decided in real time give up earlier. */
const TIMEOUT_MS = 4000;

/** The fields of every order. Amounts are in the token's smallest unit. */
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
/** `expiresAt` extends the hold, and leaves it as it is when it lasts longer. `purpose` is that of a request. */
type HoldIncrease = HoldChange & { expiresAt?: Date; forced?: boolean; purpose?: string };

/** `reference`: the id by which the entry is found. */
type Moved = { entryId: string; token: string; amount: Amount; reference: string; purpose: string };

/** The amounts that a posting has booked. */
export type Posted = {
  entryId: string;
  fromHold: Amount;
  /** The amount that the account did not cover. */
  debt: Amount;
};

/** `held`: by this order or an equal one before. `conflict`: the id belongs to another order. Otherwise why nothing is held. */
export type HoldResult = 'held' | 'conflict' | DeclineCode;

/** The ledger has rejected an order, and rejects the same order again unless the account changes. Nothing was booked. */
export class OrderRejectedError extends Error {
  constructor(code: string, cause?: unknown) {
    super(`the ledger rejected an order: ${code}`, { cause });
    this.name = 'OrderRejectedError';
  }
}

/**
 * The ledger's holds and entries. Methods throw OrderRejectedError when the ledger has judged an order and rejects it for a reason that they do not
 * return. Any other error means that the outcome is unknown.
 */
export type HoldsClient = {
  open: (order: HoldOrder) => Promise<HoldResult>;
  increase: (change: HoldIncrease) => Promise<HoldResult>;
  /**
   * The amount that an order of this purpose has held, if the hold stands or was posted; undefined if it holds nothing, or is of another purpose.
   * @param order `changeId`: of an increase of the hold
   */
  heldBefore: (order: { accountId: string; holdId: string; changeId?: string; purpose: string }) => Promise<Amount | undefined>;
  /** Releases a part; nothing happens to a hold that has ended. */
  decrease: (change: HoldChange) => Promise<void>;
  /** Makes a hold last longer; nothing happens to one that has ended, or that lasts longer already. */
  extend: (change: { accountId: string; holdId: string; changeId: string; expiresAt: Date }) => Promise<void>;
  /** Releases all; nothing happens to a hold that has ended or never existed. */
  void: (hold: { accountId: string; holdId: string }) => Promise<void>;
  /**
   * Books a posting whatever the balance.
   * @param posting `fromHold`: takes at most this much from what is held
   * @returns the ledger's id of the entry, how much it has taken from what is held, and how much has become debt
   */
  post: (posting: Order & { holdId: string; postingId: string; keepOpen: boolean; fromHold?: Amount }) => Promise<Posted>;
  /** Moves money between the account and a system account, whatever the balance. */
  transfer: (order: Order & { entryId: string; direction: 'credit' | 'debit'; system: string; purpose: string }) => Promise<void>;
  /** Moves money between system accounts of cards. */
  move: (order: Moved & { from: string; to: string }) => Promise<void>;
  /** Why the account pays nothing whatever its balance; undefined when nothing speaks against it. */
  standing: (accountId: string) => Promise<DeclineCode | undefined>;
  /** The available amount of the account. */
  available: (accountId: string, token: string) => Promise<Amount>;
  /** Returns the account's debt. */
  debt: (accountId: string, token: string) => Promise<Amount>;
};

const RESULTS: Readonly<Partial<Record<Code, HoldResult>>> = {
  [Code.CREATED]: 'held',
  [Code.EXISTS]: 'held',
  [Code.EXISTS_WITH_DIFFERENT_CONTENT]: 'conflict',
  [Code.INSUFFICIENT_FUNDS]: 'insufficient_funds',
  [Code.ACCOUNT_BLOCKED]: 'account_blocked',
  [Code.ACCOUNT_NOT_ACTIVE]: 'account_blocked',
  [Code.CHAIN_HALTED]: 'payments_halted',
  [Code.TOKEN_BLOCKED]: 'payments_halted',
  [Code.ACCOUNT_CLOSED]: 'account_closed',
  [Code.ACCOUNT_NOT_FOUND]: 'account_closed',
  [Code.HOLD_EXPIRED]: 'transaction_invalid',
  [Code.COLLECTION_LIMIT_REACHED]: 'account_limit_exceeded',
  [Code.HOLD_LIMIT_REACHED]: 'system_error',
};

const STANDING: Readonly<Partial<Record<AccountStatus, DeclineCode>>> = {
  [AccountStatus.PROVISIONING]: 'account_blocked',
  [AccountStatus.BLOCKED]: 'account_blocked',
  [AccountStatus.CLOSED]: 'account_closed',
};

const INCREASE_RESULTS: Readonly<Record<string, HoldResult | 'expires_later'>> = {
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  ACCOUNT_BLOCKED: 'account_blocked',
  ACCOUNT_NOT_ACTIVE: 'account_blocked',
  CHAIN_HALTED: 'payments_halted',
  TOKEN_BLOCKED: 'payments_halted',
  COLLECTION_LIMIT_REACHED: 'account_limit_exceeded',
  ACCOUNT_CLOSED: 'account_closed',
  ACCOUNT_NOT_FOUND: 'account_closed',
  // Another change, which was ordered later and arrived earlier, has extended the hold.
  HOLD_EXPIRY_INVALID: 'expires_later',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  HOLD_ALREADY_RESOLVED: 'transaction_invalid',
  HOLD_EXPIRED: 'transaction_invalid',
  HOLD_NOT_FOUND: 'transaction_invalid',
};

/** Holds whose money is set aside, or was booked. */
const STANDING_HOLDS: ReadonlySet<HoldStatus | undefined> = new Set([HoldStatus.OPEN, HoldStatus.POSTED]);

const ENDED: ReadonlySet<string> = new Set(['HOLD_ALREADY_RESOLVED', 'HOLD_EXPIRED', 'HOLD_NOT_FOUND']);

/** A hold that lasts longer already, or whose new expiry has passed, is not extended. */
const NOT_EXTENDED: ReadonlySet<string> = new Set([...ENDED, 'HOLD_EXPIRY_INVALID']);

const nameOf = (code: Code): string => Object.entries(Code).find(([, value]) => value === code)?.[0] ?? `code ${code}`;

/** Reports whether the ledger has judged the order; the other codes are about the call. */
const isVerdict = ({ code }: CodedError): boolean =>
  Object.hasOwn(LEDGER_ERROR_CODES, code) || code === 'IDEMPOTENCY_KEY_REUSED' || code === 'VALIDATION_FAILED';

/** @throws OrderRejectedError when the ledger has judged the order */
const judged = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw error instanceof CodedError && isVerdict(error) ? new OrderRejectedError(error.code, error) : error;
  }
};

const unless = async (codes: ReadonlySet<string>, call: Promise<unknown>): Promise<void> => {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof CodedError) || !codes.has(error.code)) throw error;
  }
};

const settlingOf = (accountId: string): string => `${accountId}/settling`;
const metadataOf = (paymentId: string, reason: string) => ({ actor: 'card', reason, externalReference: paymentId });

export const createHoldsClient = (channel: RpcChannel): HoldsClient => {
  const entries = createEntriesClient(channel);
  const holds = channel.client(HoldService, { also: ['VALIDATION_FAILED'] });
  const balances = channel.client(BalanceService);
  const journal = channel.client(EntryService);
  const options = { timeoutMs: TIMEOUT_MS };

  const transfersOf = ({ accountId, token, amount }: Omit<Order, 'paymentId'>) => [
    { debit: accountId, credit: settlingOf(accountId), token, amount: amount.toString() },
  ];

  const increase = async ({
    accountId,
    holdId,
    changeId,
    amount,
    expiresAt,
    forced = false,
    purpose,
    paymentId,
  }: HoldIncrease): Promise<HoldResult | 'expires_later'> => {
    const until = expiresAt === undefined ? {} : { expiresAt: timestampFromDate(expiresAt) };
    const metadata = purpose === undefined ? {} : { metadata: metadataOf(paymentId, purpose) };
    try {
      await holds.increaseHold({ accountId, holdId, changeId, amount: amount.toString(), forced, ...until, ...metadata }, options);
      return 'held';
    } catch (error) {
      const result = error instanceof CodedError ? INCREASE_RESULTS[error.code] : undefined;
      if (result === undefined) throw error;
      return result;
    }
  };

  const transfer = async ({ entryId, debit, credit, token, amount, reference, purpose }: Moved & { debit: string; credit: string }) => {
    const transfers = [{ debit, credit, token, amount: amount.toString() }];
    const code = await judged(entries.create({ entryId, transfers, forced: true, metadata: metadataOf(reference, purpose) }, options));
    if (code !== Code.CREATED && code !== Code.EXISTS) throw new OrderRejectedError(nameOf(code));
  };

  const rowOf = async (accountId: string, token: string) => {
    const { currencies } = await balances.getAccountBalances({ accountId }, options);
    return currencies.flatMap(({ tokens }) => tokens).find((candidate) => candidate.token === token);
  };

  return {
    open: async ({ holdId, expiresAt, forced = false, purpose, paymentId, ...order }) => {
      const hold = { entryId: holdId, transfers: transfersOf(order), holdExpiresAt: timestampFromDate(expiresAt), forced };
      const code = await judged(entries.create({ ...hold, metadata: metadataOf(paymentId, purpose) }, options));
      const result = RESULTS[code];
      if (result === undefined) throw new OrderRejectedError(nameOf(code));
      return result;
    },

    heldBefore: async ({ accountId, holdId, changeId, purpose }) => {
      const entryId = changeId === undefined ? holdId : `hold/${holdId}/change/${changeId}`;
      const [{ entry }, { hold }] = await Promise.all([
        journal.getEntry({ accountId, entryId }, options),
        holds.getHold({ accountId, holdId }, options),
      ]);
      if (entry?.metadata?.reason !== purpose || !STANDING_HOLDS.has(hold?.status)) return undefined;
      const setAside = entry.transfers.filter(({ credit }) => credit === `${accountId}/held`);
      return setAside.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    },

    increase: async (change) => {
      const first = await judged(increase(change));
      if (first !== 'expires_later' && (first !== 'conflict' || change.expiresAt === undefined)) return first;
      // The later expiry stays. A conflict is the repeat of an order that was carried out like this before, or stays one.
      const { expiresAt: _, ...rest } = change;
      const second = await judged(increase(rest));
      if (second === 'expires_later') throw new OrderRejectedError('HOLD_EXPIRY_INVALID');
      return second;
    },

    decrease: ({ accountId, holdId, changeId, amount }) =>
      judged(unless(ENDED, holds.decreaseHold({ accountId, holdId, changeId, amount: amount.toString() }, options))),

    extend: ({ expiresAt, ...change }) =>
      judged(unless(NOT_EXTENDED, holds.extendHold({ ...change, expiresAt: timestampFromDate(expiresAt) }, options))),

    void: ({ accountId, holdId }) => judged(unless(ENDED, holds.voidHold({ accountId, holdId }, options))),

    post: async ({ accountId, holdId, postingId, keepOpen, fromHold, token, amount, paymentId }) => {
      const most = { fromHold: fromHold?.toString() ?? '' };
      const posting = { accountId, holdId, postingId, keepOpen, ...most, forced: true, metadata: metadataOf(paymentId, 'clearing') };
      const { entry } = await judged(holds.postHold({ ...posting, transfers: transfersOf({ accountId, token, amount }) }, options));
      const takenFrom = (bucket: string): Amount =>
        (entry?.transfers ?? [])
          .filter(({ debit, credit }) => debit === `${accountId}/${bucket}` && credit === settlingOf(accountId))
          .reduce((sum, taken) => sum + BigInt(taken.amount), 0n);
      return { entryId: entry?.id ?? postingId, fromHold: takenFrom('held'), debt: takenFrom('debt') };
    },

    transfer: ({ accountId, system, direction, paymentId, ...order }) => {
      const [debit, credit] = direction === 'credit' ? [system, accountId] : [accountId, system];
      return transfer({ ...order, debit, credit, reference: paymentId });
    },

    move: ({ from, to, ...order }) => transfer({ ...order, debit: from, credit: to }),

    standing: async (accountId) => {
      try {
        const { status } = await balances.getAccountBalances({ accountId }, options);
        return STANDING[status];
      } catch (error) {
        if (error instanceof CodedError && error.code === 'ACCOUNT_NOT_FOUND') return 'account_closed';
        throw error;
      }
    },

    available: async (accountId, token) => BigInt((await rowOf(accountId, token))?.spendable ?? '0'),
    debt: async (accountId, token) => BigInt((await rowOf(accountId, token))?.debt ?? '0'),
  };
};
