/** How many pieces of work may run at once: of one owner, and of all together. */
export type SlotLimits = { perOwner: number; total: number };

export type Slots<O> = {
  /** Takes a slot. @returns the function that releases it @throws the error of the limit that is reached */
  take: (owner: O) => () => void;
};

/**
 * Limits what runs at the same time in this process.
 * @param reached makes the error of a limit
 */
export const createSlots = <O>({ perOwner, total }: SlotLimits, reached: (limit: keyof SlotLimits) => Error): Slots<O> => {
  const taken = new Map<O, number>();
  let all = 0;
  return {
    take: (owner) => {
      const own = taken.get(owner) ?? 0;
      if (own >= perOwner) throw reached('perOwner');
      if (all >= total) throw reached('total');
      taken.set(owner, own + 1);
      all += 1;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        all -= 1;
        const left = (taken.get(owner) ?? 1) - 1;
        if (left === 0) taken.delete(owner);
        else taken.set(owner, left);
      };
    },
  };
};
