import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SettlementRecordSchema } from '@florin/proto/settlement/v1/settlement_service';

type Wire = MessageInitShape<typeof SettlementRecordSchema>;

const record = (date: string, kind: NonNullable<Wire['kind']>, more: Wire): Wire => ({
  source: 'processor',
  id: randomUUID(),
  date,
  currency: 'EUR',
  kind,
  ...more,
});

/** A purchase of 28.00 with 0.14 of interchange, 0.03 of network fees and 0.02 of the processor's, as far as a test does not say otherwise. */
export const clearing = (date: string, amount = '2800', more: Wire = {}): Wire =>
  record(
    date,
    {
      case: 'clearing',
      value: { network: 'visa', amount, interchange: '14', schemeFee: '3', processorFee: '2', transactionId: randomUUID() },
    },
    more,
  );

export const bankMovement = (date: string, amount: string, settles = '', more: Wire = {}): Wire =>
  record(date, { case: 'bankMovement', value: { amount, settles } }, { source: 'bank', ...more });

export const collection = (date: string, amount: string): Wire =>
  record(date, { case: 'collection', value: { amount } }, { source: 'chain' });

export const correction = (date: string, debit: string, credit: string, amount: string, note = 'the statement named nothing'): Wire =>
  record(date, { case: 'correction', value: { debit, credit, amount, note } }, { source: 'operator' });
