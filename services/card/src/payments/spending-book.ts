import { CodedError } from '@florin/rpc/errors';
import { newSpending, type Spending } from '../domain/spending.ts';
import type { SpendingStore } from '../store/spendings.ts';

/** A change of a spending document: the next state (the same object when nothing changes) and what to tell the caller. */
type Change<R> = (spending: Spending) => { spending: Spending; result: R };

type Waiting = { apply: Change<unknown>; resolve: (result: never) => void; reject: (error: unknown) => void };

type Queue = { waiting: Waiting[]; deferred: ((spending: Spending) => Spending)[]; known?: Spending | undefined; running: boolean };

/** Changes of one document that other processes won; each retry means that one of them has succeeded. */
const MAX_ATTEMPTS = 50;

/** Documents with deferred changes that this process remembers; the sweeper settles what is forgotten. */
const MAX_QUEUES = 20_000;

/**
 * Changes spending documents. Changes of one document that arrive while it is being written are applied together, one after the other, and
 * written once, so the number of writes, not of changes, limits a hot document. A write that another process has preceded is repeated
 * on what that process has written.
 */
export const createSpendingBook = ({ spendings }: { spendings: SpendingStore }) => {
  const queues = new Map<string, Queue>();

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

  const write = async (id: string, queue: Queue, batch: readonly Waiting[]): Promise<unknown[]> => {
    const deferred = queue.deferred.splice(0);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const current = queue.known ?? (await spendings.find(id)) ?? newSpending(id);
      queue.known = undefined;
      let next = deferred.reduce((spending, change) => change(spending), current);
      const results: unknown[] = [];
      for (const { apply } of batch) {
        const { spending, result } = apply(next);
        next = spending;
        results.push(result);
      }
      if (next === current) return results;
      if (await spendings.save(current, next)) {
        queue.known = { ...next, revision: current.revision + 1 };
        return results;
      }
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
        for (const { reject } of batch) reject(error);
      }
    }
    queue.running = false;
    if (queue.deferred.length === 0) queues.delete(id);
    else queue.known = undefined;
  };

  return {
    /**
     * Applies a change, durably.
     * @param known the document as the caller has just read it, which saves a read
     * @throws CodedError SERVICE_UNAVAILABLE
     */
    change: <R>(id: string, apply: Change<R>, known?: Spending): Promise<R> =>
      new Promise<R>((resolve, reject) => {
        const queue = queueOf(id);
        if (!queue.running && known !== undefined) queue.known = known;
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
