import type { PageDirectory } from './page-directory.ts';
import type { PageStore, StoredPage } from './ports.ts';
import { SYSTEM_PAGE } from './system-page.ts';
import { LostRaceError } from './writer-state.ts';

/** A page's text as of one block. */
export type Snapshot = { name: string; text: string };

/**
 * Writes versions of pages, and of the system accounts' page, as of one block.
 * @throws LostRaceError when another writer has stored later ones
 */
export const writePages = async (
  { shard, store, directory }: { shard: string; store: Pick<PageStore, 'save'>; directory: PageDirectory },
  asOf: number,
  snapshots: readonly Snapshot[],
  systemText: string | undefined,
): Promise<void> => {
  const versions: StoredPage[] = snapshots.map(({ name, text }) => ({
    page: name,
    slot: directory.slotFor(name),
    asOf,
    text,
  }));
  if (systemText !== undefined) versions.push({ page: SYSTEM_PAGE, slot: directory.slotFor(SYSTEM_PAGE), asOf, text: systemText });
  if (!(await store.save(shard, versions))) throw new LostRaceError('another writer has stored later balances');
  for (const { page, slot } of versions) directory.stored({ page, slot, asOf });
};
