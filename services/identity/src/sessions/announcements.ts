import { type RevokedSessions, walletSessions } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import { startRounds, within } from '@florin/rpc/time';
import type { SessionStore } from '../store/sessions.ts';
import type { EndedEpochs, WalletAtPartner, WalletEpochStore } from '../store/wallet-epochs.ts';

/** Tells other processes about revocations, by name (see @florin/rpc/auth). Rejects when they may not have been told. */
export type PublishRevocations = (names: readonly string[]) => Promise<void>;

/**
 * Announces stored revocations to other processes. The next round of any instance announces those that a killed process or an
 * unavailable Redis left behind; processes that cannot read the stream fetch the published document meanwhile.
 */
export type Announcements = {
  /** Rejects the sessions' tokens in this process and, as far as possible, in the others. Never rejects. */
  announce: (sessionIds: readonly string[]) => Promise<void>;
  /** Announces the end of a wallet's epoch in the same way, which revokes every session of the epoch. */
  announceWallet: (owner: WalletAtPartner) => Promise<void>;
  close: () => Promise<void>;
};

const BATCH = 500;
const INTERVAL_MS = 1000;

/** The names of ended epochs. */
export const epochNames = ({ wallet, partnerId, from, to }: EndedEpochs): string[] =>
  Array.from({ length: to - from }, (_, index) => walletSessions({ wallet, partnerId, epoch: from + index }));

/** Longest time that a logout waits for the announcement. */
const WAIT_MS = 500;

export const startAnnouncements = ({
  store,
  epochs,
  publish,
  revoked,
  logger,
}: {
  store: Pick<SessionStore, 'unannounced' | 'markAnnounced'>;
  epochs: Pick<WalletEpochStore, 'unannounced' | 'markAnnounced'>;
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

  const announceSessions = async (closed: () => boolean): Promise<void> => {
    for (;;) {
      const waiting = await store.unannounced(BATCH);
      await announceNow(waiting);
      if (waiting.length < BATCH || closed()) return;
    }
  };

  const announceEnds = async (ended: readonly EndedEpochs[]): Promise<void> => {
    for (const one of ended) {
      const names = epochNames(one);
      revoked.add(names);
      await publish(names);
      await epochs.markAnnounced(one);
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
    round: async (closed) => {
      await announceEnds(await epochs.unannounced(BATCH));
      await announceSessions(closed);
    },
    intervalMs: INTERVAL_MS,
    logger,
    failed: 'announcing revoked sessions failed, will be retried',
  });

  return {
    announce: (sessionIds) => boundedly(announceNow(sessionIds)),
    announceWallet: (owner) => boundedly(epochs.unannounced(1, owner).then(announceEnds)),
    close: rounds.close,
  };
};
