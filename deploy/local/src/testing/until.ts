import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `condition` holds, at most until the test times out. */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(10);
};
