type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The storage of this browser for a page. Where it forbids that, for example in some private windows, it is kept until the page is left.
 * @param store the browser's storage; where it is forbidden, already asking for it throws
 */
export const createKept = (store: () => Store) => {
  const inMemory = new Map<string, string>();
  let isRefused = false;
  const unlessRefused = <T>(work: (kept: Store) => T): T | undefined => {
    try {
      return work(store());
    } catch {
      isRefused = true;
      return undefined;
    }
  };
  return {
    /** @returns undefined if nothing was kept under the name */
    read: (name: string): string | undefined => inMemory.get(name) ?? unlessRefused((kept) => kept.getItem(name)) ?? undefined,
    keep: (name: string, value: string): void => {
      inMemory.set(name, value);
      unlessRefused((kept) => {
        kept.setItem(name, value);
        // Another tab may change it.
        inMemory.delete(name);
      });
    },
    forget: (name: string): void => {
      inMemory.delete(name);
      unlessRefused((kept) => kept.removeItem(name));
    },
    /** Reports whether what is kept is gone after a reload. */
    isForgetful: (): boolean => isRefused,
  };
};

export const kept = createKept(() => localStorage);
