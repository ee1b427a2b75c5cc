import { shardOf } from '../domain/placement.ts';
import type { Journal } from '../journal/journal.ts';

/** The journals of this instance. */
export type Shards = {
  names: () => readonly string[];
  /** Shard that an account lives in. */
  shardOf: (accountId: string) => string;
  /** Journal of the shard that an account lives in. */
  journalOf: (accountId: string) => Journal;
  journals: () => readonly Journal[];
  health: () => Promise<void>;
  close: () => Promise<void>;
};

export const openShards = async (count: number, open: (shard: string) => Promise<Journal>): Promise<Shards> => {
  const names = Array.from({ length: count }, (_, index) => String(index));
  const journals = new Map(await Promise.all(names.map(async (name): Promise<[string, Journal]> => [name, await open(name)])));
  const place = (accountId: string) => shardOf(accountId, count);
  return {
    names: () => names,
    shardOf: place,
    journalOf: (accountId) => {
      const journal = journals.get(place(accountId));
      if (journal === undefined) throw new Error('a shard without a journal');
      return journal;
    },
    journals: () => [...journals.values()],
    health: async () => {
      for (const journal of journals.values()) await journal.health();
    },
    close: async () => {
      await Promise.all([...journals.values()].map((journal) => journal.close()));
    },
  };
};
