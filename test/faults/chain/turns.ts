/** Work that runs together with other work, or alone. */
export type Turns = {
  /** Runs work beside other such work. */
  together: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs work once all that has begun has ended; what comes meanwhile waits. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
};

export const createTurns = (): Turns => {
  const running = new Set<Promise<unknown>>();
  /** The work that runs alone, or waits for it; undefined: there is none. */
  let last: Promise<unknown> | undefined;

  return {
    together: async (work) => {
      while (last !== undefined) await last;
      const begun = work();
      const ended = begun.catch(() => undefined).finally(() => running.delete(ended));
      running.add(ended);
      return begun;
    },
    alone: async (work) => {
      while (last !== undefined) await last;
      const begun = Promise.all(running).then(work);
      const ended = begun
        .catch(() => undefined)
        .finally(() => {
          last = undefined;
        });
      last = ended;
      return begun;
    },
  };
};
