import type { RevokedSessions } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { SessionStore } from '../store/sessions.ts';
import type { WalletEpochStore } from '../store/wallet-epochs.ts';
import { type PublishRevocations, startAnnouncements } from './announcements.ts';
import { createPublishedRevocations } from './published-revocations.ts';
import { createSessions, type SessionParts } from './sessions.ts';

type Parts = Omit<SessionParts, 'announcements'> & {
  store: SessionStore;
  epochs: WalletEpochStore;
  /** Names of revoked signing keys. */
  revokedKeys: () => readonly string[];
  publish: PublishRevocations;
  revoked: RevokedSessions;
  runtime: Runtime;
  logger: Logger;
};

/** Wires sessions with the announcement and the publication of their revocations. */
export const startSessions = ({ publish, revoked, revokedKeys, logger, ...parts }: Parts) => {
  const { store, epochs, runtime } = parts;
  const announcements = startAnnouncements({ store, epochs, publish, revoked, logger });
  return {
    sessions: createSessions({ ...parts, announcements }),
    revocations: createPublishedRevocations({ store, epochs, keys: revokedKeys, runtime }),
    close: announcements.close,
  };
};
