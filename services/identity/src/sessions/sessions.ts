import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { judgeRefresh, REFRESH_LIFE_MS } from '../domain/refresh-rules.ts';
import type { Session, SessionOwner, SessionStore } from '../store/sessions.ts';
import type { IssueAccessToken } from '../tokens/access-tokens.ts';
import { parseRefreshToken, type RefreshTokens } from '../tokens/refresh-tokens.ts';
import type { Announcements } from './announcements.ts';

export type Tokens = { accessToken: string; refreshToken: string; accessExpiresAt: Date; userId?: string | undefined };

export type Sessions = {
  /** Opens a session for a proven wallet, and revokes the wallet's oldest sessions beyond `MAX_SESSIONS`. */
  open: (input: { wallet: string; partnerId: string; userAgent?: string; ip?: string }) => Promise<Tokens>;
  /** @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED */
  refresh: (refreshToken: string) => Promise<Tokens>;
  /** Revokes a session and its tokens in every process. Can be repeated. */
  end: (sessionId: string) => Promise<void>;
  /** Revokes every session of an owner. */
  endAllOf: (owner: SessionOwner) => Promise<void>;
  find: (sessionId: string) => Promise<Session | undefined>;
  /** Usable sessions, newest first. */
  page: (owner: SessionOwner, page: { limit: number; before?: string | undefined }) => Promise<Session[]>;
};

export type SessionParts = {
  store: SessionStore;
  announcements: Pick<Announcements, 'announce' | 'announceOf'>;
  runtime: Runtime;
  issueAccessToken: IssueAccessToken;
  refreshTokens: RefreshTokens;
  /** Lifetime of a session, however often it is refreshed. */
  maxAgeMs: number;
  /** The wallet's user at this partner, if it is registered there. */
  userIdOf: (wallet: string, partnerId: string) => Promise<string | undefined>;
};

/** Most usable sessions of one wallet at one partner. A sign-in beyond it revokes the oldest one. */
export const MAX_SESSIONS = 20;

const SALT_BYTES = 32;

const earlierOf = (a: Date, b: Date): Date => (a < b ? a : b);

/**
 * Number of attempts. A refresh that loses a race reads the winner's change and tries again; more attempts than this are not needed
 * for a race.
 */
const MAX_ATTEMPTS = 3;

export const createSessions = (parts: SessionParts): Sessions => {
  const { store, announcements, runtime, issueAccessToken, refreshTokens, maxAgeMs, userIdOf } = parts;
  const endOf = ({ createdAt }: Pick<Session, 'createdAt'>): Date => new Date(createdAt.getTime() + maxAgeMs);
  const refreshableUntil = (session: Pick<Session, 'createdAt'>, now: Date): Date =>
    earlierOf(new Date(now.getTime() + REFRESH_LIFE_MS), endOf(session));

  const tokensOf = async (session: Session, generation: number): Promise<Tokens> => {
    const { id, wallet, partnerId } = session;
    const userId = await userIdOf(wallet, partnerId);
    const { token, expiresAt } = await issueAccessToken({ wallet, sessionId: id, partnerId, userId }, endOf(session));
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
        expiresAt: refreshableUntil({ createdAt: now }, now),
      };
      await store.add(session);
      const { wallet, partnerId } = session;
      const displaced = await store.revokeBeyond({ wallets: [wallet], partnerId }, MAX_SESSIONS, now);
      if (displaced.length > 0) await announcements.announce(displaced);
      return tokensOf(session, 0);
    },

    refresh: async (refreshToken) => {
      const presented = parseRefreshToken(refreshToken);
      if (presented === undefined) throw new CodedError('INVALID_REFRESH_TOKEN');
      const { sessionId, generation } = presented;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const session = await store.find(sessionId);
        if (session === undefined || !refreshTokens.isGenuine(session, presented)) throw new CodedError('INVALID_REFRESH_TOKEN');
        const now = runtime.now();
        // The configured lifetime may be shorter than it was when the session expiry was stored.
        const limited = { ...session, expiresAt: earlierOf(session.expiresAt, endOf(session)) };
        switch (judgeRefresh(limited, generation, now)) {
          case 'invalid':
            throw new CodedError('INVALID_REFRESH_TOKEN');
          case 'reused':
            await end(sessionId);
            throw new CodedError('REFRESH_TOKEN_REUSED');
          case 'repeat':
            return tokensOf(session, generation + 1);
          case 'rotate':
            if (await store.rotate(sessionId, generation, now, refreshableUntil(session, now))) {
              return tokensOf(session, generation + 1);
            }
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the session changed during every attempt' });
    },
  };
};
