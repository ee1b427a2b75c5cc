/** Queries that run at the same time; further reads wait for one of them and then share a query. */
const MAX_QUERIES = 2;

const MAX_PER_QUERY = 100;

type Waiting<T> = { resolve: (found: T | undefined) => void; reject: (error: unknown) => void };

/**
 * Reads single documents by id. Reads that arrive while queries are under way share the next one, so that many readers cost few queries.
 * A query starts after the reads that it serves were requested, so each sees every write that had been acknowledged before it.
 * @param load returns the documents that exist, by id
 * @returns a function that returns undefined for an id without a document, and rejects with the error of `load`
 */
export const createBatchedReads = <T>(load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) => {
  const waiting = new Map<string, Waiting<T>[]>();
  let running = 0;

  const takeBatch = (): Map<string, Waiting<T>[]> => {
    const batch = new Map([...waiting].slice(0, MAX_PER_QUERY));
    for (const id of batch.keys()) waiting.delete(id);
    return batch;
  };

  const runNext = async (): Promise<void> => {
    if (running >= MAX_QUERIES || waiting.size === 0) return;
    running += 1;
    const batch = takeBatch();
    try {
      const found = await load([...batch.keys()]);
      for (const [id, readers] of batch) for (const { resolve } of readers) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of [...batch.values()].flat()) reject(error);
    } finally {
      running -= 1;
      void runNext();
    }
  };

  return (id: string): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const readers = waiting.get(id);
      if (readers === undefined) waiting.set(id, [{ resolve, reject }]);
      else readers.push({ resolve, reject });
      void runNext();
    });
};
