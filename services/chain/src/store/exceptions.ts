import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { olderThan, type TimePlace } from '@florin/data/paging';
import type { Runtime } from '@florin/rpc/runtime';
import { type Connection, Schema } from 'mongoose';
import { exceptionEvent } from '../domain/events.ts';
import type { ExceptionKind, ExceptionStatus, WatchException } from '../domain/exception.ts';
import { fromTransfer, type TransferDocument, toTransfer, transferFields } from './transfers.ts';

type ExceptionDocument = {
  _id: string;
  kind: ExceptionKind;
  status: ExceptionStatus;
  code?: string;
  transfer: Omit<TransferDocument, '_id'>;
  createdAt: Date;
  closedBy?: string;
  note?: string;
  outbox: OutboxEvent[];
};

const schema = new Schema<ExceptionDocument>(
  {
    _id: String,
    kind: { type: String, required: true },
    status: { type: String, required: true },
    code: String,
    transfer: { type: new Schema(transferFields, { _id: false }), required: true },
    createdAt: { type: Date, required: true },
    closedBy: String,
    note: String,
    outbox: outboxField,
  },
  { collection: 'exceptions', versionKey: false },
)
  .index({ createdAt: -1, _id: -1 })
  .index({ status: 1, createdAt: -1, _id: -1 })
  .index(outboxIndex);

const toException = ({ _id: id, outbox: _outbox, transfer, ...rest }: ExceptionDocument): WatchException => ({
  id,
  ...rest,
  transfer: toTransfer(transfer),
});

export const createExceptionStore = (connection: Connection, runtime: Pick<Runtime, 'newId'>) => {
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
      const event = { id: runtime.newId(), at: exception.createdAt, ...exceptionEvent({ id, transfer, ...exception }) };
      await model.updateOne(
        { _id: id },
        { $setOnInsert: { ...exception, transfer: fromTransfer(transfer), outbox: [event] } },
        { upsert: true },
      );
    },
    /** Closes an open exception. @returns the exception as it stands then */
    close: async (id: string, closedBy: string, note: string): Promise<WatchException | undefined> => {
      await model.updateOne({ _id: id, status: 'open' }, { $set: { status: 'closed', closedBy, note } });
      return find(id);
    },
    /** Records another refusal of an open exception. @returns the exception as it stands then */
    refuse: async (id: string, code: string): Promise<WatchException | undefined> => {
      await model.updateOne({ _id: id, status: 'open' }, { $set: { code } });
      return find(id);
    },
    countOpen: (): Promise<number> => model.countDocuments({ status: 'open' }),
    /** Up to `limit` exceptions, newest first. */
    page: async (query: { limit: number; before: TimePlace | undefined; status: ExceptionStatus | undefined }) => {
      const { limit, before, status } = query;
      const found = await model
        .find({ ...(status === undefined ? {} : { status }), ...olderThan(before) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<ExceptionDocument[]>();
      return found.map(toException);
    },
  };
};

export type ExceptionStore = ReturnType<typeof createExceptionStore>;
