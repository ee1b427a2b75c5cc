import { applyChange, type Movement, type MovementList } from '../domain/movement.ts';
import type { Journal } from './journal.ts';

/** The projections of deposits and withdrawals. */
export type MovementReader = { find: (list: MovementList, id: string) => Promise<Movement | undefined> };

/**
 * A movement as it is now: its projection, and what is durable but not projected yet. The latter is taken first: what is removed from
 * it in between is in the projection by then.
 */
export const currentMovement = async (
  movements: MovementReader,
  journal: Pick<Journal, 'unprojected'>,
  list: MovementList,
  id: string,
): Promise<Movement | undefined> => {
  const changes = journal.unprojected(list, id);
  return changes.reduce(applyChange, await movements.find(list, id));
};
