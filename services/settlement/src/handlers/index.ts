import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type CloseDayRequest,
  type GetDayRequest,
  ImportOutcome,
  type ImportRecordsRequest,
  SettlementService,
  type SettlementRecord as WireRecord,
} from '@florin/proto/settlement/v1/settlement_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import type { Booking } from '../booking/booking.ts';
import type { Balance, Outcome } from '../domain/block.ts';
import { dayAfter, dayOf, isDay, type SettlementRecord } from '../domain/record.ts';
import type { BlockStore, ClosingBlock } from '../store/blocks.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  booking: Booking;
  blocks: Pick<BlockStore, 'closeOf'>;
  now: () => Date;
};

/** Days that a record may be ahead: time zones and bank holidays. */
const AHEAD_DAYS = 7;

const OUTCOMES: Readonly<Record<Outcome['outcome'], ImportOutcome>> = {
  booked: ImportOutcome.BOOKED,
  existing: ImportOutcome.EXISTING,
  conflicting: ImportOutcome.CONFLICTING,
};

/** A position ends with a day. */
const namesDay = (account: string): boolean => !account.startsWith('payable/') || isDay(account.slice(-10));

const fromWire = ({ source, id, date, currency, kind }: WireRecord): SettlementRecord => {
  const common = { source, id, date, currency };
  switch (kind.case) {
    case 'clearing': {
      const { network, amount, interchange, schemeFee, processorFee, eventId, transactionId, acquirerReference } = kind.value;
      const fees = { interchange: BigInt(interchange), schemeFee: BigInt(schemeFee), processorFee: BigInt(processorFee) };
      return { ...common, kind: 'clearing', network, amount: BigInt(amount), ...fees, eventId, transactionId, acquirerReference };
    }
    case 'bankMovement':
      return { ...common, kind: 'bank', amount: BigInt(kind.value.amount), settles: kind.value.settles };
    case 'collection':
      return { ...common, kind: 'collection', amount: BigInt(kind.value.amount) };
    case 'correction': {
      const { debit, credit, amount, note } = kind.value;
      return { ...common, kind: 'correction', debit, credit, amount: BigInt(amount), note };
    }
    case undefined:
      throw new CodedError('VALIDATION_FAILED', { message: 'kind: is required' });
  }
};

const checkRecord = (record: SettlementRecord, index: number, today: string): void => {
  const named = record.kind === 'bank' ? [record.settles] : record.kind === 'correction' ? [record.debit, record.credit] : [];
  const isDate = isDay(record.date) && record.date <= dayAfter(today, AHEAD_DAYS);
  requireFields({
    [`records[${index}].date`]: isDate ? undefined : `must be a day, at most ${AHEAD_DAYS} days ahead`,
    [`records[${index}]`]: named.every(namesDay) ? undefined : 'must name positions by a day',
  });
};

const toWireBalance = ({ account, currency, amount }: Balance) => ({ account, currency, amount: String(amount) });

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

/** Implementations of the contracts that this service serves. */
export const implementations = ({ booking, blocks, now }: Dependencies): ServiceImplementation[] => [
  implement(SettlementService, {
    importRecords: serviceMethod(async ({ records }: ImportRecordsRequest) => {
      const read = records.map(fromWire);
      const today = dayOf(now());
      for (const [index, record] of read.entries()) checkRecord(record, index, today);
      const outcomes = await booking.importRecords(read);
      return { records: outcomes.map(({ outcome, day }) => ({ outcome: OUTCOMES[outcome], day })) };
    }),

    closeDay: serviceMethod(async ({ day }: CloseDayRequest) => {
      requireFields({ day: isDay(day) ? undefined : 'must be a day' });
      if (day >= dayOf(now())) throw new CodedError('DAY_NOT_ENDED');
      return { close: toWireClose(await booking.closeDay(day)) };
    }),

    getDay: serviceMethod(async ({ day }: GetDayRequest) => {
      const close = await blocks.closeOf(day);
      if (close === undefined) throw new CodedError('DAY_NOT_CLOSED');
      return { close: toWireClose(close) };
    }),

    listBalances: serviceMethod(async () => {
      const { balances, closedDay } = await booking.balances();
      return { balances: balances.map(toWireBalance), closedDay };
    }),
  }),
];
