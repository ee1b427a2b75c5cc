import type { PageRequest } from '@florin/proto/common/v1/page';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';

/** The rows of a page and the cursor of the next page, which is empty on the last page. */
export type Page<R> = { rows: R[]; nextCursor: string };

/**
 * Cuts a page from the rows of a query.
 * @param found up to `limit` + 1 rows; the extra row indicates that there is a next page
 */
export const cutPage = <R>(found: readonly R[], limit: number, cursorOf: (last: R) => string): Page<R> => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : '' };
};

const DEFAULT_FOUND = 20;

/** The most results that a request for an RPC `Find…` asks for: 1 to 100, as its contract bounds it, and 20 for zero. */
export const findLimitOf = ({ limit }: { limit: number }): number => limit || DEFAULT_FOUND;

/** The results of a search, and whether there are more. */
export type Found<R> = { rows: R[]; hasMore: boolean };

/**
 * Cuts the results of a search to its limit.
 * @param found up to `limit` + 1 rows; the extra row indicates that there are more
 */
export const cutFound = <R>(found: readonly R[], limit: number): Found<R> => ({
  rows: found.slice(0, limit),
  hasMore: found.length > limit,
});

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

const DEFAULT_LIMIT = 50;

/** The page that a request asks for: 1 to 100 rows, as its contract bounds it, and 50 by default. An empty cursor selects the first page. */
export const pageOf = ({ page }: { page?: PageRequest | undefined }): { limit: number; cursor: string } => ({
  limit: page?.limit || DEFAULT_LIMIT,
  cursor: page?.cursor ?? '',
});

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
