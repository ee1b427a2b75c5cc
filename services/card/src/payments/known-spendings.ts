import type { Spending } from '../domain/spending.ts';

/** Entries that are kept in all, each up to 750 bytes. */
const MAX_ENTRIES = 50_000;

/** A document without entries takes memory too. */
const weightOf = ({ entries }: Spending): number => entries.length + 1;

/** The spending documents as this process last read or wrote them, the most recently used ones. Other processes may have changed them since. */
export const createKnownSpendings = (maxEntries = MAX_ENTRIES) => {
  const known = new Map<string, Spending>();
  let weight = 0;

  const remove = (id: string): void => {
    const spending = known.get(id);
    if (spending === undefined) return;
    known.delete(id);
    weight -= weightOf(spending);
  };

  return {
    get: (id: string): Spending | undefined => known.get(id),

    /** Keeps a document, unless a later revision is known. */
    put: (spending: Spending): void => {
      const { id, revision } = spending;
      if ((known.get(id)?.revision ?? 0) > revision) return;
      remove(id);
      known.set(id, spending);
      weight += weightOf(spending);
      for (const oldest of known.keys()) {
        if (weight <= maxEntries) return;
        remove(oldest);
      }
    },

    /** Forgets a document that turned out to be outdated. */
    remove,
  };
};
