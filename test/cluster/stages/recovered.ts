import { pause } from '@florin/rpc/time';
import { processPods } from '../pods.ts';
import type { Deployment } from './stage.ts';

const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

/** Pods that are to stay: those that are ending belong to a roll before. */
export const standing = async ({ cluster }: Deployment): Promise<number> =>
  (await processPods(cluster)).filter(({ ending }) => !ending).length;

/** Waits until every process has as many ready pods as it had. @returns how long it took */
export const recovered = async ({ cluster }: Deployment, wanted: number): Promise<number> => {
  const begun = Date.now();
  for (;;) {
    const pods = await processPods(cluster);
    if (pods.filter(({ ready }) => ready).length >= wanted && pods.every(({ ending }) => !ending)) return Date.now() - begun;
    if (Date.now() - begun > READY_TIMEOUT_MS) {
      const missing = pods.filter(({ ready }) => !ready).map(({ name }) => name);
      throw new Error(`after ${READY_TIMEOUT_MS / 1000} s these pods are not ready: ${missing.join(', ')}`);
    }
    await pause(POLL_MS);
  }
};
