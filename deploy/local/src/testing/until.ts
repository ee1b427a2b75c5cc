import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `condition` holds; the test's own time limit is the bound. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
