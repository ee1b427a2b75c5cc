import type { Rounds } from '@florin/rpc/time';
import type { KytScreener } from './screener.ts';
import { type ScreeningOptions, startScreening } from './screening.ts';

export type ScreeningByShard = {
  /** Begins to screen the deposits of a shard that this instance has the journal of. */
  start: (shard: string, journal: ScreeningOptions['journal']) => Pick<Rounds, 'close'>;
  /** Says that a shard has something to screen. What is not heard here is found by the next sweep of whoever has the shard. */
  kick: (shard: string) => void;
};

/** The screening of every shard of this instance. @param options without a screener nobody is screened here */
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
