import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';

/** A place in a list that is ordered by UUID v7, newest first: the id of a page's last row, as an opaque text. */
export const encodeIdCursor = (id: string): string => Buffer.from(id).toString('base64url');

/**
 * The id in a cursor, undefined when there is no cursor.
 * @throws CodedError VALIDATION_FAILED unless the text is exactly what `encodeIdCursor` makes
 */
export const decodeIdCursor = (cursor: string): string | undefined => {
  if (cursor === '') return undefined;
  const id = uuidSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!id.success || encodeIdCursor(id.data) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: is not one of ours' });
  }
  return id.data;
};
