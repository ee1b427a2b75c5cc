import type { PageInfo } from '@florin/proto/common/v1/page';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;

/** Query of every list. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(DEFAULT_LIMIT).meta({ description: 'Rows wanted' }),
  cursor: z.string().max(1024).optional().meta({ description: 'Opaque; out of `pagination.nextCursor` of the page before' }),
});

export const pagination = z
  .object({
    nextCursor: z.string().nullable().meta({ description: 'Pass as `cursor` to go on; null on the last page' }),
    hasNext: z.boolean(),
  })
  .meta({ id: 'Pagination' });

export const toPageRequest = ({ limit, cursor }: z.output<typeof pageQuery>) => ({ limit, cursor: cursor ?? '' });

export const toPagination = (page: PageInfo | undefined): z.output<typeof pagination> => {
  const next = page?.nextCursor ?? '';
  return { nextCursor: next === '' ? null : next, hasNext: next !== '' };
};
