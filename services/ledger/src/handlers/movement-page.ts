import { cutPage, type Page } from '@florin/data/paging';
import { CodedError } from '@florin/rpc/errors';
import type { Movement, MovementFilter, MovementList } from '../domain/movement.ts';
import { decodeCursor, encodeCursor } from '../domain/page-cursor.ts';
import type { Dependencies } from './dependencies.ts';

/** The position in a cursor; undefined without one. @throws CodedError VALIDATION_FAILED */
export const positionFrom = (cursor: string): number | undefined => {
  if (cursor === '') return undefined;
  const position = decodeCursor(cursor);
  if (position === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: is not one of ours' });
  return position;
};

/** A page of a user's movements, newest first. New ones never shift the pages behind a cursor. */
export const movementPage = async (
  { accounts, movements }: Pick<Dependencies, 'accounts' | 'movements'>,
  list: MovementList,
  userId: string,
  { limit, cursor, filter }: { limit: number; cursor: string; filter: MovementFilter },
): Promise<Page<Movement>> => {
  const before = positionFrom(cursor);
  // A successor is in the shard of its account.
  const owned = await accounts.listByUser(userId);
  if (owned.length === 0) throw new CodedError('ACCOUNT_NOT_FOUND');
  const ids = owned.map(({ id }) => id);
  const found = await movements.page(list, ids, { limit: limit + 1, before, filter });
  return cutPage(found, limit, ({ position }) => encodeCursor(position));
};
