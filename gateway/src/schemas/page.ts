import type { PageInfo } from '@florin/proto/common/v1/page';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;

/** As the services limit it. */
const MAX_CURSOR_LENGTH = 64;

/** Reads a number as JSON would; any other text stays a text and is rejected. */
const readNumber = (text: unknown): unknown => (typeof text === 'string' && /^-?\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text);

/** The query parameters of all lists. */
export const pageQuery = z.object({
  limit: z
    .preprocess(readNumber, z.int().min(1).max(100))
    .default(DEFAULT_LIMIT)
    .meta({
      override: { type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT },
      description: 'Maximum number of rows to return',
    }),
  cursor: z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .regex(/^[\x21-\x7e]*$/, 'must be a cursor of this list')
    .optional()
    .meta({ description: 'Opaque cursor: `pagination.nextCursor` of the previous page' }),
});

export const pagination = z
  .object({
    nextCursor: z.string().nullable().meta({ description: 'Pass as `cursor` to get the next page; null on the last page' }),
    hasNext: z.boolean(),
  })
  .meta({ id: 'Pagination' });

export const toPageRequest = ({ limit, cursor }: z.output<typeof pageQuery>) => ({ limit, cursor: cursor ?? '' });

export const toPagination = (page: PageInfo | undefined): z.output<typeof pagination> => {
  const next = page?.nextCursor ?? '';
  return { nextCursor: next === '' ? null : next, hasNext: next !== '' };
};
