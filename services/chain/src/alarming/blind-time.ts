import type { AccountsClient } from '../clients/accounts.ts';
import type { AlarmCursorStore } from '../store/alarm-cursors.ts';

export type BlindTimeParts = {
  alarms: Pick<AlarmCursorStore, 'seenAt'>;
  spending: Pick<AccountsClient, 'renewChain'>;
  /** Longest time for which spending goes on unseen: less than the cooldown of a request to leave. */
  limitMs: number;
  now: () => Date;
};

/**
 * Bounds the time for which spending relies on a chain that nobody sees: while nodes fail, lag or disagree, finality is missing or no process runs, no alarm is
 * raised, and a user's request to leave could be executed unseen. The ledger lets the chain's tokens be spent for a limited time after the newest final block whose
 * events were looked at, by whatever process, and stops them by itself.
 * @returns tells the ledger of one chain. May be repeated
 */
export const createBlindTime = ({ alarms, spending, limitMs, now }: BlindTimeParts): ((chainId: number) => Promise<void>) => {
  const startedAt = now();
  const told = new Map<number, number>();
  return async (chainId) => {
    const until = ((await alarms.seenAt(chainId)) ?? startedAt).getTime() + limitMs;
    if (told.get(chainId) === until) return;
    await spending.renewChain(chainId, new Date(until));
    told.set(chainId, until);
  };
};
