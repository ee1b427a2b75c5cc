export type Loop = {
  /** Starts the work unless it is running or has nothing to do. */
  kick: () => void;
  /** Settles when the work that is running now has ended. */
  idle: () => Promise<void>;
};

/** Repeats work while there is any; runs never overlap. */
export const createLoop = (hasWork: () => boolean, work: () => Promise<void>): Loop => {
  let running: Promise<void> | undefined;
  const kick = (): void => {
    if (running !== undefined || !hasWork()) return;
    running = work().finally(() => {
      running = undefined;
      kick();
    });
  };
  return { kick, idle: async () => running };
};
