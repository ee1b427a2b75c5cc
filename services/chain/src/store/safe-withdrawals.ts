import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { isDuplicateKey } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { createCoalescer, SHARED_SPACING_MS } from '@florin/rpc/coalesce';
import type { ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { type Connection, Schema } from 'mongoose';
import { type Address, getAddress } from 'viem';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { SafeWithdrawal, TransferPlace, WithdrawalStatus } from '../domain/withdrawal.ts';

type WithdrawalDocument = Omit<SafeWithdrawal, 'id' | 'amount' | 'transaction'> & {
  _id: string;
  amount: string;
  chainId: number;
  outbox?: OutboxEvent[];
  relayed?: number;
  transaction: { safe: Address; to: Address; data: Hex; operation: 0 | 1; safeTxGas: string; nonce: string };
};

const text = { type: String, required: true } as const;

const schema = new Schema<WithdrawalDocument>(
  {
    _id: String,
    accountId: text,
    userId: text,
    token: text,
    amount: text,
    recipient: text,
    chainId: { type: Number, required: true },
    transaction: {
      type: new Schema(
        { safe: text, to: text, data: text, operation: { type: Number, required: true }, safeTxGas: text, nonce: text },
        { _id: false },
      ),
      required: true,
    },
    owner: text,
    status: text,
    expiresAt: { type: Date, required: true },
    signature: String,
    refusal: String,
    returns: String,
    successorAccountId: String,
    stoppedBy: String,
    sent: Boolean,
    place: new Schema({ txHash: text, logIndex: { type: Number, required: true } }, { _id: false }),
    createdAt: { type: Date, required: true },
    outbox: outboxField,
  },
  { collection: 'safe_withdrawals', versionKey: false },
)
  .index({ chainId: 1, status: 1, _id: 1 })
  .index({ accountId: 1, createdAt: -1 })
  .index(outboxIndex);

type NonceDocument = { _id: string; withdrawalId: string };

const nonceSchema = new Schema<NonceDocument>({ _id: String, withdrawalId: text }, { collection: 'safe_nonces', versionKey: false });

const toWithdrawal = ({
  _id: id,
  chainId,
  amount,
  transaction,
  outbox: _outbox,
  relayed: _relayed,
  ...rest
}: WithdrawalDocument): SafeWithdrawal => ({
  id,
  ...rest,
  amount: BigInt(amount),
  transaction: { ...transaction, chainId, safeTxGas: BigInt(transaction.safeTxGas), nonce: BigInt(transaction.nonce) },
});

const fromWithdrawal = ({ id, amount, transaction: { chainId, ...transaction }, ...rest }: SafeWithdrawal) => ({
  _id: id,
  ...rest,
  chainId,
  amount: amount.toString(),
  transaction: { ...transaction, safeTxGas: transaction.safeTxGas.toString(), nonce: transaction.nonce.toString() },
});

type CompletingTransfer = Pick<SafeTransfer, 'accountId' | 'token' | 'amount' | 'counterparty' | 'txHash'>;

const mayComplete = (
  { accountId, token, amount, counterparty, txHash }: CompletingTransfer,
  { status, place, ...own }: SafeWithdrawal,
): boolean =>
  own.accountId === accountId &&
  own.token === token &&
  own.amount === amount &&
  own.recipient.toLowerCase() === counterparty.toLowerCase() &&
  (status === 'signed' || (status === 'completed' && place?.txHash === txHash));

/** Transfers whose withdrawals one query looks for. */
const TRANSFERS = 100;

/** More withdrawals than one Safe can have under way, as each has a nonce of its own. */
const MATCHES = 1000;

/** States in which a withdrawal counts towards the limit of a day. */
const COUNTED: readonly WithdrawalStatus[] = ['submitted', 'reserved', 'signed', 'completed'];

/** Withdrawals of the user's money to a recipient of the user's choice. */
const OWN = { returns: { $exists: false }, successorAccountId: { $exists: false } } as const;

type SafeNonce = Pick<SafeWithdrawal['transaction'], 'chainId' | 'safe' | 'nonce'>;

const nonceKey = ({ chainId, safe, nonce }: SafeNonce): string => `${chainId}/${safe.toLowerCase()}/${nonce}`;

/**
 * Withdrawals that users sign.
 * @param hasFailed returns true if a transaction of another kind, of that id, will never be executed
 */
export const createSafeWithdrawalStore = (connection: Connection, hasFailed: (id: string) => Promise<boolean> = async () => false) => {
  const model = connection.model<WithdrawalDocument>('SafeWithdrawal', schema);
  const nonces = connection.model<NonceDocument>('SafeNonce', nonceSchema);
  const all = async (filter: object, limit: number): Promise<SafeWithdrawal[]> =>
    (await model.find(filter).sort({ _id: 1 }).limit(limit).lean<WithdrawalDocument[]>()).map(toWithdrawal);

  const find = async (id: string): Promise<SafeWithdrawal | undefined> => {
    const found = await model.findById(id).lean<WithdrawalDocument>();
    return found === null ? undefined : toWithdrawal(found);
  };

  /** The claim of a Safe's nonce. It is void if its transaction was refused, or can never be executed: nothing was signed for it that counts. */
  const claimOf = async (place: SafeNonce) => {
    const claim = await nonces.findById(nonceKey(place)).lean<NonceDocument>();
    if (claim === null) return undefined;
    const claimant = await find(claim.withdrawalId);
    const isLive = claimant === undefined ? !(await hasFailed(claim.withdrawalId)) : claimant.refusal === undefined;
    return { withdrawalId: claim.withdrawalId, claimant, isLive };
  };

  const claimantOf = async (place: SafeNonce): Promise<SafeWithdrawal | undefined> => {
    const claim = await claimOf(place);
    return claim?.isLive ? claim.claimant : undefined;
  };

  const matching = createCoalescer<CompletingTransfer, SafeWithdrawal[]>({
    maxItems: TRANSFERS,
    maxCalls: 2,
    spacingMs: SHARED_SPACING_MS,
    send: async (transfers) => {
      const among = <T>(read: (transfer: CompletingTransfer) => T) => ({ $in: [...new Set(transfers.map(read))] });
      const filter = {
        accountId: among(({ accountId }) => accountId),
        amount: among(({ amount }) => amount.toString()),
        recipient: among(({ counterparty }) => getAddress(counterparty)),
        $or: [{ status: 'signed' }, { status: 'completed', 'place.txHash': among(({ txHash }) => txHash) }],
      };
      const found = await all(filter, MATCHES * transfers.length);
      return transfers.map((transfer) => found.filter((withdrawal) => mayComplete(transfer, withdrawal)));
    },
  });

  return {
    /** For the outbox relay. */
    model,
    /** @param event published with it */
    add: async (withdrawal: SafeWithdrawal, event?: OutboxEvent): Promise<void> => {
      await model.create({ ...fromWithdrawal(withdrawal), outbox: event === undefined ? [] : [event] });
    },
    /** Returns the time of the first request for a withdrawal of an account to an address. */
    firstTo: async (accountId: string, recipient: Address): Promise<Date | undefined> => {
      const first = await model
        .findOne({ accountId, recipient, ...OWN }, { createdAt: 1 })
        .sort({ createdAt: 1 })
        .lean<Pick<WithdrawalDocument, 'createdAt'>>();
      return first?.createdAt;
    },
    find,
    /** Moves a withdrawal on from the status in which it was read. @returns false if another call moved it since */
    move: async (
      { id, status }: Pick<SafeWithdrawal, 'id' | 'status'>,
      to: WithdrawalStatus,
      more: { signature?: Hex; refusal?: ErrorCode; place?: TransferPlace } = {},
    ): Promise<boolean> => (await model.updateOne({ _id: id, status }, { $set: { status: to, ...more } })).modifiedCount === 1,
    /** Up to `limit` withdrawals of a chain in one of these states whose ids come after `after`, by id. */
    inStates: (chainId: number, statuses: readonly WithdrawalStatus[], after: string, limit: number): Promise<SafeWithdrawal[]> =>
      all({ chainId, status: { $in: statuses }, _id: { $gt: after } }, limit),
    /** Withdrawals that a transfer may carry out: signed ones, and those that it has completed. Of transfers that come at once with one query. */
    matching,
    /** Sum of the withdrawals of an account's token since a time that were submitted and have not failed, but for one of them. */
    sumSince: async (accountId: string, token: string, since: Date, butFor: string): Promise<Amount> => {
      const counted = { accountId, token, createdAt: { $gt: since }, status: { $in: COUNTED }, _id: { $ne: butFor }, ...OWN };
      const found = await model.find(counted, { amount: 1 }).lean<Pick<WithdrawalDocument, 'amount'>[]>();
      return found.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    },
    /** Number of an account's other withdrawals since a time that cost gas, or are about to: of moves if it is one. */
    countSince: ({ id, accountId, successorAccountId }: SafeWithdrawal, since: Date): Promise<number> =>
      model.countDocuments({
        accountId,
        createdAt: { $gt: since },
        _id: { $ne: id },
        ...(successorAccountId === undefined ? OWN : { successorAccountId: { $exists: true } }),
        $or: [{ status: { $in: COUNTED } }, { status: 'failed', refusal: { $exists: false } }],
      }),
    /**
     * Claims a Safe's nonce for a withdrawal, or a transaction of another kind: the platform signs no other transaction with it, ever.
     * @returns false if another one has claimed it
     */
    claimNonce: async ({ id, transaction }: Pick<SafeWithdrawal, 'id' | 'transaction'>): Promise<boolean> => {
      const key = nonceKey(transaction);
      try {
        await nonces.create({ _id: key, withdrawalId: id });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const claim = await claimOf(transaction);
      if (claim?.withdrawalId === id) return true;
      if (claim === undefined || claim.isLive) return false;
      return (await nonces.updateOne({ _id: key, withdrawalId: claim.withdrawalId }, { $set: { withdrawalId: id } })).modifiedCount === 1;
    },
    /** The withdrawal that has claimed a Safe's nonce. */
    claimantOf,
    /** Records that a signed withdrawal is sent. @returns false if it was superseded before */
    markSent: async ({ id }: Pick<SafeWithdrawal, 'id'>): Promise<boolean> =>
      (await model.updateOne({ _id: id, status: 'signed' }, { $set: { sent: true } })).matchedCount === 1,
    /** Refuses a reserved or signed withdrawal that was not sent, which frees its nonce: another transaction needs it more. @returns false if it was sent, or has ended */
    supersede: async ({ id }: Pick<SafeWithdrawal, 'id'>): Promise<boolean> => {
      const change = { $set: { status: 'refused', refusal: 'WITHDRAWAL_IN_PROGRESS' } } as const;
      const unsent = { _id: id, status: { $in: ['reserved', 'signed'] }, sent: { $exists: false } } as const;
      return (await model.updateOne(unsent, change)).modifiedCount === 1;
    },
    /** Id of the withdrawal, or the transaction of another kind, that has claimed a Safe's nonce. */
    claimedBy: async (place: SafeNonce): Promise<string | undefined> => {
      const claim = await claimOf(place);
      return claim?.isLive ? claim.withdrawalId : undefined;
    },
  };
};

export type SafeWithdrawalStore = ReturnType<typeof createSafeWithdrawalStore>;
