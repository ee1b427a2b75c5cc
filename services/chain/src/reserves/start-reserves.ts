import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { ReservesStore } from '../store/reserves.ts';
import { makeReserves, type ReservesParts } from './make-reserves.ts';

/** Longest pause between two looks whether a file is due. */
const MAX_PAUSE_MS = 10_000;

type Parts = {
  makers: readonly ReservesParts[];
  store: Pick<ReservesStore, 'newest'>;
  intervalMs: number;
  now: () => Date;
  logger: Logger;
};

/** Publishes a proof of reserves of each chain, every `intervalMs`, from the first start on. */
export const startReserves = ({ makers, store, intervalMs, now, logger }: Parts): Pick<Rounds, 'close'> => {
  const rounds = makers.map((maker) => {
    const { chainId } = maker;
    return startRounds({
      round: async (closed) => {
        const newest = await store.newest(chainId);
        if (newest !== undefined && now().getTime() - newest.createdAt.getTime() < intervalMs) return;
        const made = await makeReserves(maker, closed);
        if (made !== undefined) logger.info({ chainId, blockNumber: made.blockNumber }, 'a proof of reserves is published');
      },
      intervalMs: Math.min(intervalMs, MAX_PAUSE_MS),
      logger,
      failed: 'making a proof of reserves failed, will retry',
    });
  });
  return {
    close: async () => {
      await Promise.all(rounds.map(({ close }) => close()));
    },
  };
};
