import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { judgeRefresh, REFRESH_LIFE_MS } from '../domain/refresh-rules.ts';
import type { Session, SessionOwner, SessionStore } from '../store/sessions.ts';
import type { IssueAccessToken } from '../tokens/access-tokens.ts';
import { parseRefreshToken, type RefreshTokens } from '../tokens/refresh-tokens.ts';
import type { Announcements } from './announcements.ts';

export type Tokens = { accessToken: string; refreshToken: string; accessExpiresAt: Date; userId?: string | undefined };

export type Sessions = {
  /** Opens a session for a wallet that has proven itself. */
  open: (input: { wallet: string; partnerId: string; userAgent?: string; ip?: string }) => Promise<Tokens>;
  /** @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED */
  refresh: (refreshToken: string) => Promise<Tokens>;
  /** Ends a session for good, and its tokens everywhere. Repeating it is harmless. */
  end: (sessionId: string) => Promise<void>;
  /** Ends every session of some wallets at a partner. */
  endAllOf: (owner: SessionOwner) => Promise<void>;
  find: (sessionId: string) => Promise<Session | undefined>;
  /** Sessions that can still be used, newest first. */
  page: (owner: SessionOwner, page: { limit: number; before?: string | undefined }) => Promise<Session[]>;
};

export type SessionParts = {
  store: SessionStore;
  announcements: Pick<Announcements, 'announce' | 'announceOf'>;
  runtime: Runtime;
  issueAccessToken: IssueAccessToken;
  refreshTokens: RefreshTokens;
  /** The wallet's user at this partner, once there is one. */
  userIdOf: (wallet: string, partnerId: string) => Promise<string | undefined>;
};

const SALT_BYTES = 32;

/** A refresh that loses its race finds the winner's work at the next look; more looks than this are no race any more. */
const MAX_LOOKS = 3;

export const createSessions = ({ store, announcements, runtime, issueAccessToken, refreshTokens, userIdOf }: SessionParts): Sessions => {
  const tokensOf = async (session: Session, generation: number): Promise<Tokens> => {
    const { id, wallet, partnerId } = session;
    const userId = await userIdOf(wallet, partnerId);
    const { token, expiresAt } = await issueAccessToken({ wallet, sessionId: id, partnerId, userId });
    return { accessToken: token, accessExpiresAt: expiresAt, refreshToken: refreshTokens.tokenOf(session, generation), userId };
  };

  const end = async (sessionId: string): Promise<void> => {
    await store.revoke(sessionId, runtime.now());
    await announcements.announce([sessionId]);
  };

  return {
    end,
    endAllOf: async (owner) => {
      await store.revokeAllOf(owner, runtime.now());
      await announcements.announceOf(owner);
    },
    find: store.find,
    page: (owner, page) => store.page(owner, page, runtime.now()),

    open: async (input) => {
      const now = runtime.now();
      const session: Session = {
        ...input,
        id: runtime.newId(),
        salt: Buffer.from(runtime.randomBytes(SALT_BYTES)).toString('base64url'),
        generation: 0,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + REFRESH_LIFE_MS),
      };
      await store.add(session);
      return tokensOf(session, 0);
    },

    refresh: async (refreshToken) => {
      const presented = parseRefreshToken(refreshToken);
      if (presented === undefined) throw new CodedError('INVALID_REFRESH_TOKEN');
      const { sessionId, generation } = presented;
      for (let look = 0; look < MAX_LOOKS; look += 1) {
        const session = await store.find(sessionId);
        if (session === undefined || !refreshTokens.isGenuine(session, presented)) throw new CodedError('INVALID_REFRESH_TOKEN');
        const now = runtime.now();
        switch (judgeRefresh(session, generation, now)) {
          case 'invalid':
            throw new CodedError('INVALID_REFRESH_TOKEN');
          case 'reused':
            await end(sessionId);
            throw new CodedError('REFRESH_TOKEN_REUSED');
          case 'repeat':
            return tokensOf(session, generation + 1);
          case 'rotate':
            if (await store.rotate(sessionId, generation, now, new Date(now.getTime() + REFRESH_LIFE_MS))) {
              return tokensOf(session, generation + 1);
            }
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'session keeps changing' });
    },
  };
};
