import type { Projections } from '../journal/ports.ts';
import type { Accounts } from './accounts.ts';
import type { Holds } from './holds.ts';
import type { Movements } from './movements.ts';
import type { Screenings } from './screenings.ts';

export type ProjectionParts = {
  accounts: Pick<Accounts, 'saveStatuses'>;
  holds: Pick<Holds, 'save'>;
  movements: Pick<Movements, 'save'>;
  screenings: Pick<Screenings, 'save'>;
};

/** The rows written behind the journal, each into its own collection. */
export const createProjections = (
  parts: ProjectionParts & {
    /** True if changes of accounts are told to others; not when what happened long ago is derived again. */
    announce: boolean;
  },
): Projections => {
  const { accounts, holds, movements, screenings, announce } = parts;
  return {
    save: async (shard, blocks) => {
      const changes = blocks.flatMap((block) => block.movements);
      await Promise.all([
        movements.save(shard, changes),
        screenings.save(shard, changes),
        holds.save(
          shard,
          blocks.flatMap((block) => block.holds),
        ),
        accounts.saveStatuses(
          blocks.flatMap((block) => block.accounts),
          announce,
        ),
      ]);
    },
  };
};
