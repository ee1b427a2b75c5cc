import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';

/** A place in a list that is ordered by time and then by id, newest first. */
export type TimePlace = { createdAt: Date; id: string };

const placeSchema = z.object({ at: z.int().min(0), id: uuidSchema });

/** Encodes the place of a page's last row as an opaque cursor. */
export const encodeTimeCursor = ({ createdAt, id }: TimePlace): string => `${createdAt.getTime().toString(36)}.${id}`;

/**
 * Decodes a cursor. The empty cursor of a first page decodes to undefined.
 * @throws CodedError VALIDATION_FAILED unless `encodeTimeCursor` produces exactly this text
 */
export const decodeTimeCursor = (cursor: string): TimePlace | undefined => {
  if (cursor === '') return undefined;
  const [time = '', id] = cursor.split('.');
  const parsed = placeSchema.safeParse({ at: Number.parseInt(time, 36), id });
  const place = parsed.success ? { createdAt: new Date(parsed.data.at), id: parsed.data.id } : undefined;
  if (place === undefined || encodeTimeCursor(place) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: must be the cursor of an earlier page' });
  }
  return place;
};

/** Selects the documents after a place, for a query sorted by `{ createdAt: -1, _id: -1 }`; all of them without a place. */
export const olderThan = (place: TimePlace | undefined) =>
  place === undefined ? {} : { $or: [{ createdAt: { $lt: place.createdAt } }, { createdAt: place.createdAt, _id: { $lt: place.id } }] };
