import type { RevokedSessions } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import { startRounds, within } from '@florin/rpc/time';
import type { SessionOwner, SessionStore } from '../store/sessions.ts';

/** Tells the other processes; rejects when they may not have been told. */
export type PublishRevocations = (sessionIds: readonly string[]) => Promise<void>;

/**
 * Announces revocations that stand in the store. One that could not be announced, because Redis was away or the process was killed,
 * is announced by the next round of any instance; whoever cannot read the stream meanwhile asks for the document.
 */
export type Announcements = {
  /** Refuses the sessions' tokens in this process, and in the others as far as they can be told. Never rejects. */
  announce: (sessionIds: readonly string[]) => Promise<void>;
  /** The same for what was just revoked of an owner. */
  announceOf: (owner: SessionOwner) => Promise<void>;
  close: () => Promise<void>;
};

const BATCH = 500;
const INTERVAL_MS = 1000;

/** The answer to who logs out waits no longer for the others to be told. */
const PATIENCE_MS = 500;

export const startAnnouncements = ({
  store,
  publish,
  revoked,
  logger,
}: {
  store: Pick<SessionStore, 'unannounced' | 'markAnnounced'>;
  publish: PublishRevocations;
  revoked: Pick<RevokedSessions, 'add'>;
  logger: Logger;
}): Announcements => {
  const tell = async (sessionIds: readonly string[]): Promise<void> => {
    if (sessionIds.length === 0) return;
    revoked.add(sessionIds);
    await publish(sessionIds);
    await store.markAnnounced(sessionIds);
  };

  /** All that wait, of one owner or of everybody. */
  const tellAll = async (closed: () => boolean, owner?: SessionOwner): Promise<void> => {
    for (;;) {
      const waiting = await store.unannounced(BATCH, owner);
      await tell(waiting);
      if (waiting.length < BATCH || closed()) return;
    }
  };

  const patiently = async (work: Promise<void>): Promise<void> => {
    try {
      await within(PATIENCE_MS, work);
    } catch (err) {
      logger.warn({ err }, 'revoked sessions were not announced, will be repeated');
    }
  };

  const rounds = startRounds({ round: tellAll, intervalMs: INTERVAL_MS, logger, failed: 'announcing revoked sessions' });

  return {
    announce: (sessionIds) => patiently(tell(sessionIds)),
    announceOf: (owner) => patiently(tellAll(() => false, owner)),
    close: rounds.close,
  };
};
