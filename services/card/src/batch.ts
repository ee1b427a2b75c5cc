type Waiting<I, O> = { item: I; resolve: (result: O) => void; reject: (error: unknown) => void };

export type BatchOptions<I, O> = {
  /** Does the work for all items at once; results in their order. A rejection rejects every item. */
  run: (items: readonly I[]) => Promise<readonly O[]>;
  /** Batches under way at the same time. */
  concurrency: number;
  /** Items per batch. */
  maxItems: number;
};

/**
 * Gathers single calls to batches: what arrives while the batches under way are running goes together into the next one. A call that finds
 * nothing under way is not delayed.
 */
export const createBatch = <I, O>({ run, concurrency, maxItems }: BatchOptions<I, O>): ((item: I) => Promise<O>) => {
  const queue: Waiting<I, O>[] = [];
  let running = 0;

  const start = (): void => {
    while (running < concurrency && queue.length > 0) {
      const batch = queue.splice(0, maxItems);
      running += 1;
      void run(batch.map(({ item }) => item))
        .then(
          (results) => {
            for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
          },
          (error: unknown) => {
            for (const { reject } of batch) reject(error);
          },
        )
        .finally(() => {
          running -= 1;
          start();
        });
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      // Calls of the same turn of the event loop share a batch.
      if (queue.length === 1) queueMicrotask(start);
    });
};
