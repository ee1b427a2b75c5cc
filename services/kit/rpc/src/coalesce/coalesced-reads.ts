import { type CoalesceOptions, createCoalescer } from './coalesce.ts';

export type CoalescedReadsOptions<T> = Pick<CoalesceOptions<string, T | undefined>, 'maxItems' | 'maxCalls' | 'spacingMs' | 'maxRestMs'> & {
  /** Returns the values that exist, by id. Each id is given once. */
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
};

/**
 * Reads single values by id. Reads that arrive while queries are under way share the next one, and those of one id an item of it, so that
 * many readers cost few queries. A query starts after the reads that it serves were requested, so each sees every write that had been
 * acknowledged before it.
 * @returns a function that returns undefined for an id without a value, and rejects with the error of `load`
 */
export const createCoalescedReads = <T>({ load, ...options }: CoalescedReadsOptions<T>): ((id: string) => Promise<T | undefined>) => {
  const waiting = new Map<string, Promise<T | undefined>>();
  const submit = createCoalescer<string, T | undefined>({
    ...options,
    send: async (ids) => {
      // A read from now on needs another query.
      for (const id of ids) waiting.delete(id);
      const found = await load(ids);
      return ids.map((id) => found.get(id));
    },
  });
  return (id) => {
    const shared = waiting.get(id) ?? submit(id);
    waiting.set(id, shared);
    return shared;
  };
};
