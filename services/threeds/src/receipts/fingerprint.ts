import { createHash } from 'node:crypto';
import { toJson } from '@bufbuild/protobuf';
import { type DecisionReceipt, DecisionReceiptSchema } from '@florin/proto/threeds/v1/challenge';

type Json = ReturnType<typeof toJson>;

/** JSON with sorted names and no white space; equals RFC 8785 for the values that a receipt contains. */
const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
};

/**
 * SHA-256 over a receipt's protobuf JSON in canonical form, without this field. It detects damage and careless edits, including of the
 * times, which the cardholder's signature does not cover. It does not protect against an editor who recomputes it.
 * @returns 0x-prefixed lower-case hex, 32 bytes
 */
export const receiptFingerprint = (receipt: DecisionReceipt): string =>
  `0x${createHash('sha256')
    .update(canonical(toJson(DecisionReceiptSchema, { ...receipt, fingerprint: '' })))
    .digest('hex')}`;
