type Waiting<I, O> = { item: I; resolve: (result: O) => void; reject: (error: unknown) => void };

export type BatchOptions<I, O> = {
  /** Does the work for all items at once and returns the results in their order. A rejection rejects every item. */
  run: (items: readonly I[]) => Promise<readonly O[]>;
  /** Batches under way at the same time. */
  concurrency: number;
  /** Items per batch. */
  maxItems: number;
  /**
   * When a call that finds a free place starts its batch: `now`, before it returns, or `turn`, after the turn of the event loop, so that the
   * calls of one turn share a batch.
   */
  start: 'now' | 'turn';
};

/** Combines single calls into batches: calls that arrive while all batches are under way share the next one. */
export const createBatch = <I, O>({ run, concurrency, maxItems, start }: BatchOptions<I, O>): ((item: I) => Promise<O>) => {
  const queue: Waiting<I, O>[] = [];
  let running = 0;

  const runNext = async (): Promise<void> => {
    if (running >= concurrency || queue.length === 0) return;
    running += 1;
    const batch = queue.splice(0, maxItems);
    // Further batches start at once when the queue holds more than one.
    if (queue.length > 0) void runNext();
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      void runNext();
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (start === 'now') void runNext();
      else if (queue.length === 1) queueMicrotask(() => void runNext());
    });
};
