import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { olderThan, type TimePlace } from '@florin/data/paging';
import type { Runtime } from '@florin/rpc/runtime';
import { type Connection, Schema } from 'mongoose';
import { exceptionEvent } from '../domain/events.ts';
import type { ExceptionKind, ExceptionStatus, TokenChange, WatchException } from '../domain/exception.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import { fromTransfer, type TransferDocument, toTransfer, transferFields } from './transfers.ts';

type ExceptionDocument = {
  _id: string;
  kind: ExceptionKind;
  status: ExceptionStatus;
  code?: string;
  transfer: Omit<TransferDocument, '_id'>;
  createdAt: Date;
  booked?: boolean;
  /** Until then only the call that set it ends a retry. */
  retryUntil?: Date;
  closedBy?: string;
  note?: string;
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
    createdAt: { type: Date, required: true },
    booked: Boolean,
    retryUntil: Date,
    closedBy: String,
    note: String,
    outbox: outboxField,
  },
  { collection: 'exceptions', versionKey: false },
)
  .index({ createdAt: -1, _id: -1 })
  .index({ status: 1, createdAt: -1, _id: -1 })
  .index({ 'transfer.accountId': 1 })
  .index({ 'transfer.txHash': 1 })
  .index(outboxIndex);

const toException = ({
  _id: id,
  outbox: _outbox,
  relayed: _relayed,
  retryUntil: _retryUntil,
  transfer,
  ...rest
}: ExceptionDocument): WatchException => ({
  id,
  ...rest,
  transfer: toTransfer(transfer),
});

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
    /** Opens an exception with its event, unless there is one of that id. */
    open: async ({ id, transfer, ...exception }: WatchException): Promise<void> => {
      // What concerns nobody's account is for the operator, whom a metric alerts.
      const isOfAccount = transfer.accountId !== '';
      const event = { id: runtime.newId(), at: exception.createdAt, ...exceptionEvent({ id, transfer, ...exception }) };
      await model.updateOne(
        { _id: id },
        { $setOnInsert: { ...exception, transfer: fromTransfer(transfer), outbox: isOfAccount ? [event] : [] } },
        { upsert: true },
      );
    },
    /** Closes an open exception. @returns the exception as it stands then */
    close: async (id: string, { booked, ...closed }: Closing): Promise<WatchException | undefined> => {
      const further = booked ? { booked } : {};
      await model.updateOne({ _id: id, status: 'open' }, { $set: { ...closed, ...further, status: 'closed' } });
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
