import { pause } from '@florin/rpc/time';
import type { BenchSafe, ChainStage } from './stage.ts';

const TRANSFERS_PER_BLOCK = 10;
/** One in a hundred transfers is ours. */
const EVERY_NTH = 100;
/** Between two questions for what is booked, which the service answers beside its work. */
const LOOK_MS = 50;

/** How blocks from `from` to `to` were caught up with: `blocks` of them within the seconds that were measured. */
export type CaughtUp = { from: number; to: number; blocks: number; seconds: number };

/**
 * Adds blocks while the service is between two looks at the chain, and waits until they are booked. The time begins with the last look that finds none of them
 * booked: few blocks are all booked by the next.
 */
export const catchUp = async ({ node, booked }: ChainStage, safes: readonly BenchSafe[], count: number): Promise<CaughtUp> => {
  const before = await booked();
  const addresses = safes.map(({ safe }) => safe);
  const to = await node.add({ blocks: count, transfers: TRANSFERS_PER_BLOCK, everyNth: EVERY_NTH, safes: addresses });
  let started = performance.now();
  for (let at = before; at < to; ) {
    await pause(LOOK_MS);
    const looked = performance.now();
    at = await booked();
    if (at === before) started = looked;
  }
  return { from: before + 1, to, blocks: count, seconds: (performance.now() - started) / 1000 };
};
