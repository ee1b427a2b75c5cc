import type { SettlementRecord as WireRecord } from '@florin/proto/settlement/v1/settlement_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { dayAfter, isDay, namesDay, type SettlementRecord } from '../domain/record.ts';

/** Days that a record may be ahead: time zones and bank holidays. */
const AHEAD_DAYS = 7;

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

/**
 * Reads the records of a request that its contract accepts.
 * @param today the day now (UTC)
 * @throws CodedError VALIDATION_FAILED for what contracts cannot state: days that do not exist, or are far ahead
 */
export const fromWireRecords = (records: readonly WireRecord[], today: string): SettlementRecord[] => {
  const read = records.map(fromWire);
  for (const [index, record] of read.entries()) checkRecord(record, index, today);
  return read;
};
