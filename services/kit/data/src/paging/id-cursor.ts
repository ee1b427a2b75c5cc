import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';

/** Encodes the id of a page's last row as an opaque cursor, for lists ordered by UUID v7, newest first. */
export const encodeIdCursor = (id: string): string => Buffer.from(id).toString('base64url');

/**
 * Decodes a cursor. The empty cursor of a first page decodes to undefined.
 * @throws CodedError VALIDATION_FAILED unless `encodeIdCursor` produces exactly this text
 */
export const decodeIdCursor = (cursor: string): string | undefined => {
  if (cursor === '') return undefined;
  const id = uuidSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!id.success || encodeIdCursor(id.data) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: must be the cursor of an earlier page' });
  }
  return id.data;
};
