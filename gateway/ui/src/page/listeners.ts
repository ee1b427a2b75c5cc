/** Those who draw what a module keeps, for `useSyncExternalStore`: `tell` has them look again. */
export const createListeners = () => {
  const listeners = new Set<() => void>();
  return {
    tell: (): void => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
