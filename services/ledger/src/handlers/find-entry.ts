import type { EntryRow } from '../domain/projection.ts';
import type { Journal } from '../journal/journal.ts';
import type { EntryReader } from '../journal/ports.ts';

/** An entry by its id: what is not projected yet first, because what leaves it in between is in the projection by then. */
export const findEntry = async (entries: EntryReader, journal: Journal, id: string): Promise<EntryRow | undefined> =>
  journal.recentEntry(id) ?? (await entries.find(journal.shard, id));
