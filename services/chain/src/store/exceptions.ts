import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { olderThan, type TimePlace } from '@florin/data/paging';
import type { Runtime } from '@florin/rpc/runtime';
import { type Connection, Schema } from 'mongoose';
import { exceptionEvent, returnEvent } from '../domain/events.ts';
import {
  type ExceptionKind,
  type ExceptionStatus,
  isShownIn,
  type ShownIn,
  type TokenChange,
  type WatchException,
} from '../domain/exception.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import { fromTransfer, type TransferDocument, toTransfer, transferFields } from './transfers.ts';

type ExceptionDocument = {
  _id: string;
  kind: ExceptionKind;
  status: ExceptionStatus;
  code?: string;
  transfer: Omit<TransferDocument, '_id'>;
  blocks?: ShownIn[];
  /** The highest of `blocks`: once it is final, the chain has decided. */
  awaitsBlock?: number;
  createdAt: Date;
  booked?: boolean;
  /** Until then only the call that set it ends a retry. */
  retryUntil?: Date;
  closedBy?: string;
  note?: string;
  returnedBy?: string;
  returning?: string;
  outbox: OutboxEvent[];
  relayed?: number;
};

const schema = new Schema<ExceptionDocument>(
  {
    _id: String,
    kind: { type: String, required: true },
    status: { type: String, required: true },
    code: String,
    transfer: { type: new Schema(transferFields, { _id: false }), required: true },
    blocks: {
      type: [
        new Schema<ShownIn>(
          { blockNumber: { type: Number, required: true }, blockHash: { type: String, required: true }, logIndex: Number },
          { _id: false },
        ),
      ],
      default: undefined,
    },
    awaitsBlock: Number,
    createdAt: { type: Date, required: true },
    booked: Boolean,
    retryUntil: Date,
    closedBy: String,
    note: String,
    returnedBy: String,
    returning: String,
    outbox: outboxField,
  },
  { collection: 'exceptions', versionKey: false },
)
  .index({ createdAt: -1, _id: -1 })
  .index({ status: 1, createdAt: -1, _id: -1 })
  .index({ status: 1, kind: 1, code: 1 })
  .index({ 'transfer.accountId': 1 })
  .index({ 'transfer.txHash': 1 })
  .index({ awaitsBlock: 1 }, { sparse: true })
  .index(outboxIndex);

const toException = ({
  _id: id,
  outbox: _outbox,
  relayed: _relayed,
  retryUntil: _retryUntil,
  awaitsBlock: _awaitsBlock,
  transfer,
  ...rest
}: ExceptionDocument): WatchException => ({
  id,
  ...rest,
  transfer: toTransfer(transfer),
});

/** Raised about blocks that are not final. */
const ABOUT_BLOCKS: readonly ExceptionKind[] = ['changed', 'left'];

/** A person's decision about an exception. */
export type Closing = { closedBy: string; note: string; booked: boolean };

type ExceptionQuery = {
  limit: number;
  before: TimePlace | undefined;
  status?: ExceptionStatus | undefined;
  /** In lower case. */
  txHash?: string | undefined;
};

/** Longer than a booking with all its calls can take. */
const RETRY_MS = 60_000;

export const createExceptionStore = (connection: Connection, runtime: Pick<Runtime, 'newId' | 'now'>) => {
  const model = connection.model<ExceptionDocument>('WatchException', schema);
  const find = async (id: string): Promise<WatchException | undefined> => {
    const found = await model.findById(id).lean<ExceptionDocument>();
    return found === null ? undefined : toException(found);
  };
  return {
    /** For the outbox relay. */
    model,
    find,
    /**
     * Opens an exception with its event, unless there is one of that id. One about blocks that are not final is opened again by another block than those that were
     * known.
     */
    open: async ({ id, transfer, blocks: _blocks, ...exception }: WatchException): Promise<void> => {
      const { blockNumber, blockHash, logIndex } = transfer;
      const block = { blockNumber, blockHash, logIndex };
      const isAboutBlock = ABOUT_BLOCKS.includes(exception.kind);
      // An exception of nobody's account is for the operator, whom a metric alerts.
      const isOfAccount = transfer.accountId !== '';
      const event = { id: runtime.newId(), at: exception.createdAt, ...exceptionEvent({ id, transfer, ...exception }) };
      const { upsertedCount } = await model.updateOne(
        { _id: id },
        {
          $setOnInsert: {
            ...exception,
            ...(isAboutBlock ? { blocks: [block], awaitsBlock: blockNumber } : {}),
            transfer: fromTransfer(transfer),
            outbox: isOfAccount ? [event] : [],
          },
        },
        { upsert: true },
      );
      if (upsertedCount === 1) return;
      const place = { 'transfer.blockNumber': blockNumber, 'transfer.blockHash': blockHash, 'transfer.logIndex': logIndex };
      const undone = { closedBy: 1, note: 1, booked: 1 } as const;
      if (exception.kind === 'refused') {
        // The transfer is not booked, and needs a person whatever becomes of its block.
        await model.updateOne(
          { _id: id, kind: 'left' },
          { $set: { ...exception, ...place }, $unset: { ...undone, blocks: 1, awaitsBlock: 1 }, $push: { outbox: event } },
        );
        return;
      }
      if (!isAboutBlock) return;
      // Until the block is stored: the exception may be closed at the same time.
      for (;;) {
        const known = await find(id);
        if (known === undefined || !ABOUT_BLOCKS.includes(known.kind) || isShownIn(known, blockHash)) return;
        const { blockNumber: number, blockHash: hash, logIndex: index } = known.transfer;
        const former = { blockNumber: number, blockHash: hash, logIndex: index };
        const { matchedCount } = await model.updateOne(
          { _id: id, status: known.status },
          {
            $set: { status: 'open', ...place },
            $addToSet: { blocks: { $each: [former, block] } },
            $max: { awaitsBlock: blockNumber },
            $unset: undone,
            ...(known.status === 'closed' && isOfAccount ? { $push: { outbox: event } } : {}),
          },
        );
        if (matchedCount === 1) return;
      }
    },
    /** Up to `limit` exceptions all of whose blocks are at most a final one, and were not compared with the chain. */
    awaiting: async (chainId: number, finalized: number, limit: number): Promise<WatchException[]> => {
      const found = await model
        .find({ awaitsBlock: { $lte: finalized }, 'transfer.chainId': chainId })
        .sort({ awaitsBlock: 1 })
        .limit(limit)
        .lean<ExceptionDocument[]>();
      return found.map(toException);
    },
    /** Closes an open exception none of whose blocks is part of the chain, unless another block has been seen to contain it since. */
    closeReplaced: async ({ id, blocks = [] }: WatchException): Promise<void> => {
      const closed = { status: 'closed', closedBy: 'chain', note: 'Its block was replaced.', booked: false } as const;
      await model.updateOne({ _id: id, status: 'open', blocks: { $size: blocks.length } }, { $set: closed });
    },
    /** Records that the blocks of an exception, if these are all, were compared with the chain. @param block the one that is final; undefined: none */
    settled: async ({ id, blocks = [] }: WatchException, block: ShownIn | undefined): Promise<void> => {
      const place = block && {
        $set: { 'transfer.blockNumber': block.blockNumber, 'transfer.blockHash': block.blockHash, 'transfer.logIndex': block.logIndex },
      };
      await model.updateOne({ _id: id, blocks: { $size: blocks.length } }, { ...place, $unset: { blocks: 1, awaitsBlock: 1 } });
    },
    /** Closes an open exception, unless its deposit is on the way back. @returns the exception as it stands then */
    close: async (id: string, { booked, ...closed }: Closing): Promise<WatchException | undefined> => {
      const further = booked ? { booked } : {};
      const free = { _id: id, status: 'open', returning: { $exists: false } } as const;
      await model.updateOne(free, { $set: { ...closed, ...further, status: 'closed' } });
      return find(id);
    },
    /**
     * Begins to book a refused transfer again. Of several callers one does; one that was killed is followed after a minute.
     * @returns the time until which nobody else does; undefined when the caller is not to book it
     */
    beginRetry: async (id: string): Promise<Date | undefined> => {
      const now = runtime.now();
      const retryUntil = new Date(now.getTime() + RETRY_MS);
      const { modifiedCount } = await model.updateOne(
        { _id: id, kind: 'refused', $or: [{ status: 'open' }, { status: 'retrying', retryUntil: { $lte: now } }] },
        { $set: { status: 'retrying', retryUntil } },
      );
      return modifiedCount === 1 ? retryUntil : undefined;
    },
    /** Ends a retry with a transfer that the ledger has taken. @returns the exception as it stands then */
    endBooked: async (id: string, closedBy: string): Promise<WatchException | undefined> => {
      const closed = { status: 'closed', booked: true, closedBy, note: 'Booked.' } as const;
      await model.updateOne({ _id: id, status: 'retrying' }, { $set: closed, $unset: { retryUntil: 1 } });
      return find(id);
    },
    /**
     * Ends a retry with another refusal, unless somebody else has begun one since, who may book the transfer yet.
     * @returns the exception as it stands then
     */
    endRefused: async (id: string, code: string, retryUntil: Date): Promise<WatchException | undefined> => {
      await model.updateOne({ _id: id, status: 'retrying', retryUntil }, { $set: { status: 'open', code }, $unset: { retryUntil: 1 } });
      return find(id);
    },
    /** Decides that a rejected deposit goes back to its sender, with its event. @returns the exception as it stands then */
    decideReturn: async (id: string, returnedBy: string, note: string): Promise<WatchException | undefined> => {
      const exception = await find(id);
      if (exception === undefined) return undefined;
      const event = { id: runtime.newId(), at: runtime.now(), ...returnEvent(exception.transfer) };
      await model.updateOne(
        { _id: id, kind: 'rejected', status: 'open', returnedBy: { $exists: false } },
        { $set: { returnedBy, note }, $push: { outbox: event } },
      );
      return find(id);
    },
    /** The rejected deposits of an account that are to go back, and are not on their way. */
    returnsOf: async (accountId: string): Promise<WatchException[]> => {
      const waiting = { status: 'open', kind: 'rejected', returnedBy: { $exists: true }, returning: { $exists: false } } as const;
      return (await model.find({ 'transfer.accountId': accountId, ...waiting }).lean<ExceptionDocument[]>()).map(toException);
    },
    /** Claims the return of a deposit for a withdrawal: no other one returns it. @returns false if it is another one's, or not to be returned any more */
    claimReturn: async (id: string, withdrawalId: string): Promise<boolean> => {
      const free = { _id: id, status: 'open', returnedBy: { $exists: true } } as const;
      const isFree = { $or: [{ returning: withdrawalId }, { returning: { $exists: false } }] };
      return (await model.updateOne({ ...free, ...isFree }, { $set: { returning: withdrawalId } })).matchedCount === 1;
    },
    /** Gives the claim of a withdrawal back that has failed. */
    releaseReturn: async (id: string, withdrawalId: string): Promise<void> => {
      await model.updateOne({ _id: id, status: 'open', returning: withdrawalId }, { $unset: { returning: 1 } });
    },
    /** Closes the exception about a deposit that a withdrawal has returned. */
    endReturned: async (id: string, withdrawalId: string): Promise<void> => {
      await model.updateOne(
        { _id: id, status: 'open', returning: withdrawalId },
        { $set: { status: 'closed', closedBy: 'chain', booked: true } },
      );
    },
    /** The open exceptions about tokens that all accounts hold. There are few. */
    openOfTokens: async (): Promise<WatchException[]> => {
      const codes: TokenChange[] = ['TOKEN_PAUSED', 'TOKEN_UPGRADED'];
      return (await model.find({ status: 'open', kind: 'changed', code: { $in: codes } }).lean<ExceptionDocument[]>()).map(toException);
    },
    countChanges: (): Promise<number> => model.countDocuments({ status: 'open', kind: 'changed' }),
    /** Transfers of accounts on a chain up to a block that the ledger has refused and not booked since. */
    refusedOf: async (chainId: number, accountIds: readonly string[], blockNumber: number): Promise<SafeTransfer[]> => {
      const found = await model
        .find({
          'transfer.accountId': { $in: accountIds },
          'transfer.chainId': chainId,
          'transfer.blockNumber': { $lte: blockNumber },
          kind: 'refused',
          booked: { $ne: true },
        })
        .lean<ExceptionDocument[]>();
      return found.map(({ transfer }) => toTransfer(transfer));
    },
    /** Up to `limit` exceptions, newest first. */
    page: async ({ limit, before, status, txHash }: ExceptionQuery) => {
      const found = await model
        .find(olderThan(before))
        .where({ ...(status === undefined ? {} : { status }), ...(txHash === undefined ? {} : { 'transfer.txHash': txHash }) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<ExceptionDocument[]>();
      return found.map(toException);
    },
  };
};

export type ExceptionStore = ReturnType<typeof createExceptionStore>;
