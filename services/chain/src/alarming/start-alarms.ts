import { type Rounds, startRounds } from '@florin/rpc/time';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { ServedChain } from '../watching/start-watches.ts';
import { type AlarmWatchParts, createAlarmWatch } from './alarm-watch.ts';

type Parts = Omit<AlarmWatchParts, 'chainId' | 'node' | 'symbols'> & { exceptions: Pick<ExceptionStore, 'countChanges'>; pollMs: number };

export type Alarms = Pick<Rounds, 'close'> & {
  /** Changes of control that no person has dealt with. */
  openChanges: () => number;
};

/** Looks for changes of control on chains in the background, beside the watching of tokens, which may wait or be halted. */
export const startAlarms = (chains: readonly Pick<ServedChain, 'chainId' | 'node' | 'symbols'>[], { pollMs, ...parts }: Parts): Alarms => {
  const { logger, exceptions } = parts;
  let openChanges = 0;
  const rounds = chains.map(({ chainId, node, symbols }) => {
    const watch = createAlarmWatch({ ...parts, chainId, node, symbols });
    const round = async (closed: () => boolean): Promise<void> => {
      openChanges = await exceptions.countChanges();
      await watch.round(closed);
    };
    return startRounds({ round, intervalMs: pollMs, logger, failed: 'looking for changes of control failed, will retry' });
  });
  return {
    openChanges: () => openChanges,
    close: async () => {
      await Promise.all(rounds.map(({ close }) => close()));
    },
  };
};
