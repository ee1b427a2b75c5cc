/** Promises that resolve once a condition on a value holds. @param holds the condition */
export const createWaiters = (holds: (value: string) => boolean) => {
  const waiting = new Set<() => void>();
  return {
    /** Resolves with true once the condition holds, or with false after the timeout. */
    wait: (value: string, timeoutMs: number): Promise<boolean> =>
      new Promise((resolve) => {
        const settle = (reached: boolean): void => {
          waiting.delete(check);
          clearTimeout(timer);
          resolve(reached);
        };
        const check = (): void => {
          if (holds(value)) settle(true);
        };
        const timer = setTimeout(() => settle(false), timeoutMs);
        waiting.add(check);
        check();
      }),
    /** Checks the condition for all that wait. */
    check: (): void => {
      for (const check of [...waiting]) check();
    },
  };
};
