/** Creates a clock that only a test advances. */
export const fakeClock = (start = new Date()) => {
  let current = start.getTime();
  return {
    now: () => new Date(current),
    advanceSeconds: (seconds: number) => {
      current += seconds * 1000;
    },
  };
};
