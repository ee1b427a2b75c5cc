import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { CardNumbers } from '../numbers/issue-card-number.ts';

/** An order takes seconds; a claim that is older belongs to a process that was killed. */
const STALE_MS = 10 * 60_000;
const BATCH = 100;

type SweeperParts = { numbers: CardNumbers; runtime: Pick<Runtime, 'now'>; logger: Logger; intervalMs: number };

/** Frees numbers that were claimed by an order that did not finish. */
export const startClaimSweeper = ({ numbers, runtime, logger, intervalMs }: SweeperParts): Rounds =>
  startRounds({
    round: () => numbers.settleClaims(new Date(runtime.now().getTime() - STALE_MS), BATCH),
    intervalMs,
    logger,
    failed: 'settling claims of card numbers failed, will retry',
  });
