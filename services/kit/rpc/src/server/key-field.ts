import type { DescMessage } from '@bufbuild/protobuf';
import { CodedError } from '../errors/index.ts';

/** Fields by which requests are idempotent. Where a request has several, the first of them is its own key and the others name objects. */
const KEY_FIELDS = [
  'request_id',
  'recovery_id',
  'adjustment_id',
  'reversal_id',
  'change_id',
  'posting_id',
  'withdrawal_id',
  'reference',
  'tx_hash',
  'event',
  'account_id',
  'card_id',
] as const;

/** Path of the key within its field, where that is a message. */
const WITHIN: Readonly<Record<string, string>> = { event: 'event.event_id' };

/** Returns the path of the field that holds the idempotency key of a request, in names of the contract; undefined if it has none. */
export const keyFieldOf = ({ fields }: DescMessage): string | undefined => {
  const names = new Set(fields.map(({ name }) => name));
  const found = KEY_FIELDS.find((name) => names.has(name));
  return found === undefined ? undefined : (WITHIN[found] ?? found);
};

/** Adds the name of the key's field to IDEMPOTENCY_KEY_REUSED. Other errors are returned as they are. */
export const withKeyField = (error: CodedError, field: string | undefined): CodedError => {
  if (field === undefined || error.code !== 'IDEMPOTENCY_KEY_REUSED') return error;
  return new CodedError(error.code, {
    message: `${field}: was used for a request with other content`,
    metadata: { field, ...error.metadata },
    cause: error,
  });
};
