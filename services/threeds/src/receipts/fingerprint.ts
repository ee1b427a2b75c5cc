import { createHash } from 'node:crypto';
import { toJson } from '@bufbuild/protobuf';
import { type DecisionReceipt, DecisionReceiptSchema } from '@florin/proto/threeds/v1/challenge';

type Json = ReturnType<typeof toJson>;

/** JSON with sorted names and no white space; for what a receipt holds the same as RFC 8785. */
const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
};

/**
 * SHA-256 over a receipt's protobuf JSON in canonical form, all fields but this one. It shows that something was damaged or edited
 * carelessly, also in the times, which the cardholder's signature does not cover. It proves nothing against who recomputes it.
 * @returns 0x-prefixed lower-case hex, 32 bytes
 */
export const receiptFingerprint = (receipt: DecisionReceipt): string =>
  `0x${createHash('sha256')
    .update(canonical(toJson(DecisionReceiptSchema, { ...receipt, fingerprint: '' })))
    .digest('hex')}`;
