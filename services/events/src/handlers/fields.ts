import type { ServiceCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { parseCursor } from '../domain/cursor.ts';
import type { TypeFilter } from '../domain/feed-block.ts';
import { parseTypes } from '../domain/type-filter.ts';

const DEFAULT_LIMIT = 100;

/** @returns the default for 0 */
export const toLimit = (limit: number): number => (limit === 0 ? DEFAULT_LIMIT : limit);

type Asked = { partnerId: string; after: string; types: readonly string[] };

/**
 * The feed that a caller means: a partner's client, the partner's own one.
 * @throws CodedError FORBIDDEN for another partner's feed, VALIDATION_FAILED
 */
export const feedOf = ({ partnerId: own }: ServiceCaller, partnerId: string): string => {
  const feed = own ?? partnerId;
  if (feed === '') throw new CodedError('VALIDATION_FAILED', { message: 'partner_id: is required' });
  if (partnerId !== '' && partnerId !== feed) throw new CodedError('FORBIDDEN', { message: 'the feed belongs to another partner' });
  return feed;
};

/**
 * Cuts the requested rows to those that the caller may read.
 * @throws CodedError FORBIDDEN for another partner's feed, CURSOR_INVALID, EVENT_TYPE_UNKNOWN, VALIDATION_FAILED
 */
export const readerOf = (
  caller: ServiceCaller,
  { partnerId, after, types }: Asked,
): { feed: string; after: number | undefined; filter: TypeFilter } => {
  const feed = feedOf(caller, partnerId);
  return { feed, after: parseCursor(feed, after), filter: parseTypes(types) };
};
