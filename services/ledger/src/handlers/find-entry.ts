import type { EntryRow } from '../domain/projection.ts';
import type { Dependencies } from './dependencies.ts';

/** An entry by its id: what is not projected yet first, because what leaves it in between is in the projection by then. */
export const findEntry = async (
  { shards, entries }: Pick<Dependencies, 'shards' | 'entries'>,
  accountId: string,
  id: string,
): Promise<EntryRow | undefined> => shards.journalOf(accountId).recentEntry(id) ?? (await entries.find(id));
