/** Milliseconds by which the wall clock must gain on the monotonic one to count as a jump: more than what adjusting and rounding make up between two readings. */
const JUMP_MS = 500;

/**
 * Creates a clock in milliseconds that never goes back, and goes on while the machine is suspended: the monotonic clock stands still then, which shows
 * by the wall clock. A wall clock that is set ahead counts as a suspension as well, so the clock serves for what must end early rather than late.
 */
export const createSteadyClock = (
  monotonic: () => number = () => performance.now(),
  wall: () => number = () => Date.now(),
): (() => number) => {
  let ahead = wall() - monotonic();
  let suspendedMs = 0;
  return () => {
    const now = monotonic();
    const gained = wall() - now - ahead;
    if (gained > JUMP_MS) suspendedMs += gained;
    if (gained > JUMP_MS || gained < 0) ahead += gained;
    return now + suspendedMs;
  };
};

/** The steady clock of this process. Its readings compare with one another only. */
export const steadyNow: () => number = createSteadyClock();
