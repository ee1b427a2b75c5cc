import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';

/** A place in an export: a kind of record, and the section's own position in it. */
export type ExportPlace = { kind: string; after: string };

const placeSchema = z.tuple([z.string(), z.string().max(200)]);

export const encodePlace = ({ kind, after }: ExportPlace): string => Buffer.from(JSON.stringify([kind, after])).toString('base64url');

/** @throws CodedError VALIDATION_FAILED unless `encodePlace` produces this text for one of the kinds */
export const decodePlace = (cursor: string, kinds: readonly string[]): ExportPlace => {
  try {
    const [kind, after] = placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (kinds.includes(kind) && encodePlace({ kind, after }) === cursor) return { kind, after };
  } catch {
    // Rejected below.
  }
  throw new CodedError('VALIDATION_FAILED', { message: 'cursor: must be the cursor of an earlier page' });
};
