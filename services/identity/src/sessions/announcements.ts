import type { RevokedSessions } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import { startRounds, within } from '@florin/rpc/time';
import type { SessionOwner, SessionStore } from '../store/sessions.ts';

/** Tells other processes about revoked sessions. Rejects when they may not have been told. */
export type PublishRevocations = (sessionIds: readonly string[]) => Promise<void>;

/**
 * Announces stored revocations to other processes. The next round of any instance announces those that a killed process or an
 * unavailable Redis left behind; processes that cannot read the stream fetch the published document meanwhile.
 */
export type Announcements = {
  /** Rejects the sessions' tokens in this process and, as far as possible, in the others. Never rejects. */
  announce: (sessionIds: readonly string[]) => Promise<void>;
  /** Announces the revoked sessions of an owner in the same way. */
  announceOf: (owner: SessionOwner) => Promise<void>;
  close: () => Promise<void>;
};

const BATCH = 500;
const INTERVAL_MS = 1000;

/** Longest time that a logout waits for the announcement. */
const WAIT_MS = 500;

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
  const announceNow = async (sessionIds: readonly string[]): Promise<void> => {
    if (sessionIds.length === 0) return;
    revoked.add(sessionIds);
    await publish(sessionIds);
    await store.markAnnounced(sessionIds);
  };

  /** Announces every waiting revocation, of one owner or of all. */
  const announceWaiting = async (closed: () => boolean, owner?: SessionOwner): Promise<void> => {
    for (;;) {
      const waiting = await store.unannounced(BATCH, owner);
      await announceNow(waiting);
      if (waiting.length < BATCH || closed()) return;
    }
  };

  const boundedly = async (work: Promise<void>): Promise<void> => {
    try {
      await within(WAIT_MS, work);
    } catch (err) {
      logger.warn({ err }, 'announcing revoked sessions failed, will be retried');
    }
  };

  const rounds = startRounds({
    round: announceWaiting,
    intervalMs: INTERVAL_MS,
    logger,
    failed: 'announcing revoked sessions failed, will be retried',
  });

  return {
    announce: (sessionIds) => boundedly(announceNow(sessionIds)),
    announceOf: (owner) => boundedly(announceWaiting(() => false, owner)),
    close: rounds.close,
  };
};
