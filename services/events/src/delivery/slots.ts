/** A place in one of the pools. Returning it lets the next one in the queue begin. */
export type Slot = { release: () => void };

/** Limits deliveries at the same time. Endpoints whose last delivery failed have a pool of their own, so that dead ones take nothing from the others. */
export type Slots = {
  /** @returns undefined while all are taken; `retry` is called once when one is free */
  take: (isDoubtful: boolean, retry: () => void) => Slot | undefined;
};

export const createSlots = (sizes: { trusted: number; doubtful: number }): Slots => {
  const createPool = (size: number) => {
    let free = size;
    const queue = new Set<() => void>();
    return {
      take: (retry: () => void): Slot | undefined => {
        if (free === 0) {
          queue.add(retry);
          return undefined;
        }
        free -= 1;
        let isTaken = true;
        return {
          release: () => {
            if (!isTaken) return;
            isTaken = false;
            free += 1;
            const [next] = queue;
            if (next === undefined) return;
            queue.delete(next);
            // Not within the caller's turn: a long queue would make a deep stack.
            queueMicrotask(next);
          },
        };
      },
    };
  };
  const trusted = createPool(sizes.trusted);
  const doubtful = createPool(sizes.doubtful);
  return { take: (isDoubtful, retry) => (isDoubtful ? doubtful : trusted).take(retry) };
};
