import { CodedError } from '@florin/rpc/errors';
import { newSpending, type Spending } from '../domain/spending.ts';
import type { SpendingStore } from '../store/spendings.ts';
import { createKnownSpendings } from './known-spendings.ts';

/** A change of a spending document: the next state (the same object when nothing changes) and what to tell the caller. */
type Change<R> = (spending: Spending) => { spending: Spending; result: R };

type Waiting = { apply: Change<unknown>; resolve: (result: never) => void; reject: (error: unknown) => void };
type Queue = { waiting: Waiting[]; deferred: ((spending: Spending) => Spending)[]; running: boolean };

/** Changes of one document that other processes won; each retry means that one of them has succeeded. */
const MAX_ATTEMPTS = 50;

/** Documents with deferred changes that this process remembers; the sweeper settles what is forgotten. */
const MAX_QUEUES = 20_000;

/**
 * Changes spending documents. Changes of one document that arrive while it is being written are applied together, one after the other, and
 * written once, so the number of writes, not of changes, limits a hot document. A change starts from the document as this process last wrote it; when
 * another process has written since, the conditional write fails, and the change is repeated on what is stored. A result that goes with no
 * write, such as a limit that is exceeded, comes from the stored document.
 */
export const createSpendingBook = ({ spendings }: { spendings: SpendingStore }) => {
  const queues = new Map<string, Queue>();
  const known = createKnownSpendings();

  const forgetOldest = (except: string): void => {
    for (const [id, { running }] of queues) {
      if (running || id === except) continue;
      queues.delete(id);
      return;
    }
  };

  const queueOf = (id: string): Queue => {
    const queue = queues.get(id) ?? { waiting: [], deferred: [], running: false };
    queues.delete(id);
    queues.set(id, queue);
    if (queues.size > MAX_QUEUES) forgetOldest(id);
    return queue;
  };

  const read = async (id: string): Promise<Spending> => {
    const spending = (await spendings.find(id)) ?? newSpending(id);
    known.put(spending);
    return spending;
  };

  const write = async (id: string, queue: Queue, batch: readonly Waiting[]): Promise<unknown[]> => {
    const deferred = queue.deferred.splice(0);
    let remembered = known.get(id);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const current = remembered ?? (await read(id));
      let next = deferred.reduce((spending, change) => change(spending), current);
      const results: unknown[] = [];
      for (const { apply } of batch) {
        const { spending, result } = apply(next);
        next = spending;
        results.push(result);
      }
      if (next === current && remembered === undefined) return results;
      if (next !== current && (await spendings.save(current, next))) {
        known.put({ ...next, revision: current.revision + 1 });
        return results;
      }
      known.remove(id);
      remembered = undefined;
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many concurrent changes of one spending document' });
  };

  const drain = async (id: string, queue: Queue): Promise<void> => {
    queue.running = true;
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0);
      try {
        const results = await write(id, queue, batch);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as never);
      } catch (error) {
        known.remove(id);
        for (const { reject } of batch) reject(error);
      }
    }
    queue.running = false;
    if (queue.deferred.length === 0) queues.delete(id);
  };

  return {
    /** A document as this process last read or wrote it; undefined when it remembers none. Others may have changed it since. */
    recall: (id: string): Spending | undefined => known.get(id),

    /**
     * A document whose settings are those that are stored now; what counts against the limits may be older. A change of it needs no further read.
     * @throws the store's error
     */
    look: async (id: string): Promise<Spending> => {
      if (known.get(id) === undefined) return read(id);
      const settings = await spendings.findSettings(id);
      const remembered = known.get(id);
      return remembered === undefined ? read(id) : { ...remembered, ...settings };
    },

    /**
     * Applies a change, durably.
     * @throws CodedError SERVICE_UNAVAILABLE
     */
    change: <R>(id: string, apply: Change<R>): Promise<R> =>
      new Promise<R>((resolve, reject) => {
        const queue = queueOf(id);
        queue.waiting.push({ apply, resolve, reject });
        if (!queue.running) void drain(id, queue);
      }),

    /** Applies a change with the next write of the document; it may be lost. */
    defer: (id: string, change: (spending: Spending) => Spending): void => {
      queueOf(id).deferred.push(change);
    },
  };
};

export type SpendingBook = ReturnType<typeof createSpendingBook>;
