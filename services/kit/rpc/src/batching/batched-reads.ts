import { type BatchOptions, createBatch } from './batch.ts';

type Read = { id: string; isUnderWay: boolean };

/**
 * Reads single values by id. Reads that arrive while queries are under way share the next one, so that many readers cost few queries.
 * A query starts after the reads that it serves were requested, so each sees every write that had been acknowledged before it.
 * @param load returns the values that exist, by id; each id is given once
 * @returns a function that returns undefined for an id without a value, and rejects with the error of `load`
 */
export const createBatchedReads = <T>(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  options: Omit<BatchOptions<Read, T | undefined>, 'run'>,
): ((id: string) => Promise<T | undefined>) => {
  const waiting = new Map<string, Promise<T | undefined>>();
  const start = createBatch<Read, T | undefined>({
    ...options,
    run: async (reads) => {
      for (const read of reads) {
        read.isUnderWay = true;
        waiting.delete(read.id);
      }
      const found = await load(reads.map(({ id }) => id));
      return reads.map(({ id }) => found.get(id));
    },
  });

  return (id) => {
    const shared = waiting.get(id);
    if (shared !== undefined) return shared;
    const read: Read = { id, isUnderWay: false };
    const result = start(read);
    if (!read.isUnderWay) waiting.set(id, result);
    return result;
  };
};
