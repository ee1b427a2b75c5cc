import type { Rounds } from '@florin/rpc/time';
import type { KytScreener } from '../ports/kyt-screener.ts';
import { type ScreeningOptions, startScreening } from './screening.ts';

export type ScreeningByShard = {
  /** Starts screening the deposits of a shard whose journal this instance owns. */
  start: (shard: string, journal: ScreeningOptions['journal']) => Pick<Rounds, 'close'>;
  /** Screens a shard's deposits now. Without a kick, the next sweep of the shard's owner finds them. */
  kick: (shard: string) => void;
};

/** Creates the screening of all shards of this instance. Without a screener it does nothing. */
export const createScreeningByShard = ({
  screener,
  ...options
}: Omit<ScreeningOptions, 'shard' | 'journal' | 'screener'> & { screener: KytScreener | undefined }): ScreeningByShard => {
  const running = new Map<string, Rounds>();
  return {
    start: (shard, journal) => {
      if (screener === undefined) return { close: async () => undefined };
      const rounds = startScreening({ ...options, shard, journal, screener });
      running.set(shard, rounds);
      return {
        close: async () => {
          if (running.get(shard) === rounds) running.delete(shard);
          await rounds.close();
        },
      };
    },
    kick: (shard) => running.get(shard)?.kick(),
  };
};
