import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, pageOf } from '@florin/data/paging';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import {
  type CloseDayRequest,
  type GetDayRequest,
  ImportOutcome,
  type ImportRecordsRequest,
  type ListDaysRequest,
  SettlementService,
} from '@florin/proto/settlement/v1/settlement_service';
import type { ServiceCaller } from '@florin/rpc/auth';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import type { Booking } from '../booking/booking.ts';
import type { Balance, Outcome } from '../domain/block.ts';
import { dayOf, isDay, type SettlementRecord } from '../domain/record.ts';
import type { BlockStore, ClosingBlock } from '../store/blocks.ts';
import type { ReportStore, ReportVerdict } from '../store/reports.ts';
import { fromWireRecords } from './from-wire.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  booking: Booking;
  blocks: Pick<BlockStore, 'closeOf' | 'closes'>;
  reports: Pick<ReportStore, 'latest'>;
  now: () => Date;
};

const OUTCOMES: Readonly<Record<Outcome['outcome'], ImportOutcome>> = {
  booked: ImportOutcome.BOOKED,
  existing: ImportOutcome.EXISTING,
  conflicting: ImportOutcome.CONFLICTING,
};

/** The scopes that kinds of records need beside that of the RPC. */
const SCOPES: Readonly<Partial<Record<SettlementRecord['kind'], string>>> = {
  bank: SETTLEMENT_SCOPES.writeBank,
  collection: SETTLEMENT_SCOPES.writeCollections,
  correction: SETTLEMENT_SCOPES.writeCorrections,
};

/** @throws CodedError FORBIDDEN when a caller reports what others state, or a kind of records that it has no scope for */
const requireRights = ({ name, scopes }: Pick<ServiceCaller, 'name' | 'scopes'>, records: readonly SettlementRecord[]): void => {
  for (const [index, { source, kind }] of records.entries()) {
    if (source !== name)
      throw new CodedError('FORBIDDEN', { message: `records[${index}].source must be ${name}, the client that imports it` });
    const scope = SCOPES[kind];
    if (scope !== undefined && !scopes.has(scope)) throw new CodedError('FORBIDDEN', { message: `scope ${scope} is missing` });
  }
};

const toWireBalance = ({ account, currency, amount }: Balance) => ({ account, currency, amount: String(amount) });

const toWireVerdict = ({ madeAt, ...verdict }: ReportVerdict) => ({ ...verdict, madeAt: timestampFromDate(madeAt) });

const toWireClose = ({ n, at, previousHash, close }: ClosingBlock) => ({
  day: close.day,
  previousDay: close.previousDay,
  closedAt: timestampFromDate(at),
  block: BigInt(n),
  previousHash,
  records: BigInt(close.records),
  recordsHash: close.recordsHash,
  balances: close.balances.map(toWireBalance),
  x: close.key.x,
  signature: close.signature,
});

const MAX_REPORTS = 100;

const encodeDay = (day: string): string => Buffer.from(day).toString('base64url');

/** The day in a cursor; undefined without one. @throws CodedError VALIDATION_FAILED unless `encodeDay` makes exactly this text */
const decodeDay = (cursor: string): string | undefined => {
  if (cursor === '') return undefined;
  const day = Buffer.from(cursor, 'base64url').toString();
  requireFields({ 'page.cursor': isDay(day) && encodeDay(day) === cursor ? undefined : 'must be the cursor of an earlier page' });
  return day;
};

/** Implementations of the contracts that this service serves. */
export const implementations = ({ booking, blocks, reports, now }: Dependencies): ServiceImplementation[] => [
  implement(SettlementService, {
    importRecords: serviceMethod(async (request: ImportRecordsRequest, { caller }) => {
      const records = fromWireRecords(request.records, dayOf(now()));
      requireRights(caller, records);
      const outcomes = await booking.importRecords(records);
      return { records: outcomes.map(({ outcome, day }) => ({ outcome: OUTCOMES[outcome], day })) };
    }),

    closeDay: serviceMethod(async ({ day }: CloseDayRequest) => {
      requireFields({ day: isDay(day) ? undefined : 'must be a day' });
      if (day >= dayOf(now())) throw new CodedError('DAY_NOT_ENDED');
      return { close: toWireClose(await booking.closeDay(day)) };
    }),

    getDay: serviceMethod(async ({ day }: GetDayRequest) => {
      requireFields({ day: isDay(day) ? undefined : 'must be a day' });
      const close = await blocks.closeOf(day);
      if (close === undefined) throw new CodedError('DAY_NOT_CLOSED');
      return { close: toWireClose(close) };
    }),

    listDays: serviceMethod(async (request: ListDaysRequest) => {
      const { limit, cursor } = pageOf(request);
      const { rows, nextCursor } = cutPage(await blocks.closes(limit + 1, decodeDay(cursor)), limit, ({ day }) => encodeDay(day));
      const days = rows.map(({ day, at, records }) => ({ day, closedAt: timestampFromDate(at), records: BigInt(records) }));
      return { days, page: { nextCursor } };
    }),

    listReports: serviceMethod(async () => ({ reports: (await reports.latest(MAX_REPORTS)).map(toWireVerdict) })),

    listBalances: serviceMethod(async () => {
      const [{ balances, closedDay }, [last]] = await Promise.all([booking.balances(), reports.latest(1)]);
      return { balances: balances.map(toWireBalance), closedDay, ...(last === undefined ? {} : { lastReport: toWireVerdict(last) }) };
    }),
  }),
];
