import type { Logger } from '@florin/rpc/observe';
import type { AccountsClient } from '../clients/accounts.ts';
import type { AlarmCursorStore } from '../store/alarm-cursors.ts';
import type { CursorStore } from '../store/cursors.ts';

export type BlindTimeParts = {
  alarms: Pick<AlarmCursorStore, 'seenAt'>;
  cursors: Pick<CursorStore, 'find'>;
  spending: Pick<AccountsClient, 'haltChain' | 'resumeChain'>;
  /** Longest time for which spending goes on unseen: less than the cooldown of a request to leave. */
  limitMs: number;
  now: () => Date;
  logger: Logger;
};

export type BlindTime = {
  /** Stops the spending of a chain whose final blocks nobody has looked at for too long, and lets it go on when they were. May be repeated. */
  round: (chainId: number) => Promise<void>;
  /** Lets the spending of a chain go on that is not halted any more, unless nobody can see it. */
  resumeChain: (chainId: number) => Promise<void>;
};

/**
 * Bounds the time for which spending relies on a chain that nobody sees: while nodes fail, lag or disagree, or finality is missing, no alarm is raised, and
 * a user's request to leave could be executed unseen. The age is that of the newest final block whose events were looked at, by whatever process.
 */
export const createBlindTime = ({ alarms, cursors, spending, limitMs, now, logger }: BlindTimeParts): BlindTime => {
  const startedAt = now();
  const stopped = new Set<number>();
  const isBlind = async (chainId: number): Promise<boolean> =>
    now().getTime() - ((await alarms.seenAt(chainId)) ?? startedAt).getTime() > limitMs;
  const resumeChain = async (chainId: number): Promise<void> => {
    if (!(await isBlind(chainId))) await spending.resumeChain(chainId);
  };
  return {
    resumeChain,
    round: async (chainId) => {
      if (await isBlind(chainId)) {
        if (!stopped.has(chainId)) logger.error({ chainId }, 'nobody has seen the changes of control for too long: spending is stopped');
        stopped.add(chainId);
        return spending.haltChain(chainId);
      }
      if (!stopped.has(chainId)) return;
      if ((await cursors.find(chainId))?.haltedAt === undefined) await resumeChain(chainId);
      stopped.delete(chainId);
    },
  };
};
