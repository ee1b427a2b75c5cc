import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { isNewDevice } from '../domain/new-device.ts';
import { judgeRefresh, REFRESH_LIFE_MS } from '../domain/refresh-rules.ts';
import type { User } from '../domain/user.ts';
import type { Session, SessionOwner, SessionStore } from '../store/sessions.ts';
import type { WalletAtPartner, WalletEpochStore } from '../store/wallet-epochs.ts';
import type { IssueAccessToken } from '../tokens/access-tokens.ts';
import { parseRefreshToken, type RefreshTokens } from '../tokens/refresh-tokens.ts';
import type { Announcements } from './announcements.ts';

export type Tokens = { accessToken: string; refreshToken: string; accessExpiresAt: Date; userId?: string | undefined };

export type Sessions = {
  /**
   * Opens a session for a proven wallet, and revokes the wallet's oldest sessions beyond `MAX_SESSIONS`. Notes it for the user if it is on a new device.
   * @param input `jkt` is the thumbprint of a proven key, to which the session is bound
   */
  open: (input: { wallet: string; partnerId: string; userAgent?: string; ip?: string; jkt?: string }) => Promise<Tokens>;
  /**
   * @param jkt thumbprint of the key that the client has proven, if any. It must be that of the session: a session that is not bound stays so,
   * and a client that takes it for bound learns that it is not
   * @throws CodedError INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED, INVALID_DPOP_PROOF (nothing has changed)
   */
  refresh: (refreshToken: string, jkt?: string) => Promise<Tokens>;
  /** Revokes a session and its tokens in every process. Can be repeated. */
  end: (sessionId: string) => Promise<void>;
  /**
   * Revokes every session of a wallet at a partner in one write, however many there are.
   * @param cause names the event that ends them; a repeat with the same name only repeats the announcement
   */
  endAllOf: (owner: WalletAtPartner, cause: string) => Promise<void>;
  find: (sessionId: string) => Promise<Session | undefined>;
  /** Usable sessions, newest first. */
  page: (owner: SessionOwner, page: { limit: number; before?: string | undefined }) => Promise<Session[]>;
};

export type SessionParts = {
  store: SessionStore;
  epochs: Pick<WalletEpochStore, 'current' | 'end'>;
  announcements: Pick<Announcements, 'announce' | 'announceWallet'>;
  runtime: Runtime;
  issueAccessToken: IssueAccessToken;
  refreshTokens: RefreshTokens;
  /** Lifetime of a session, however often it is refreshed. */
  maxAgeMs: number;
  /** The wallet's user at this partner, if it is registered there. */
  userOf: (wallet: string, partnerId: string) => Promise<Pick<User, 'id' | 'wallets'> | undefined>;
  /** Notes that a user signed in on a device on which no wallet of theirs had a session. */
  noteNewDevice: (userId: string, wallet: string) => Promise<void>;
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

/** @param bound thumbprint of the key that the session is bound to, @param proven that of the key whose proof was sent */
const wrongProof = (bound: string | undefined, proven: string | undefined): CodedError => {
  const wanted =
    proven === undefined ? 'the session is bound to a key: send a proof by it' : 'the proof is by another key than that of the session';
  return new CodedError('INVALID_DPOP_PROOF', {
    metadata: { reason: bound === undefined ? 'the session is bound to no key: send no proof' : wanted },
  });
};

export const createSessions = (parts: SessionParts): Sessions => {
  const { store, epochs, announcements, runtime, issueAccessToken, refreshTokens, maxAgeMs, userOf, noteNewDevice } = parts;
  const endOf = ({ createdAt }: Pick<Session, 'createdAt'>): Date => new Date(createdAt.getTime() + maxAgeMs);
  const refreshableUntil = (session: Pick<Session, 'createdAt'>, now: Date): Date =>
    earlierOf(new Date(now.getTime() + REFRESH_LIFE_MS), endOf(session));

  const tokensOf = async (session: Session, generation: number, userId: string | undefined): Promise<Tokens> => {
    const { id, wallet, partnerId, epoch } = session;
    const subject = { wallet, sessionId: id, partnerId, userId, walletEpoch: epoch, signedInAt: session.createdAt, jkt: session.jkt };
    const { token, expiresAt } = await issueAccessToken(subject, endOf(session));
    return { accessToken: token, accessExpiresAt: expiresAt, refreshToken: refreshTokens.tokenOf(session, generation), userId };
  };

  const end = async (sessionId: string): Promise<void> => {
    await store.revoke(sessionId, runtime.now());
    await announcements.announce([sessionId]);
  };

  /**
   * The tokens of a refreshed session. When the wallet's epoch ends at the same moment, a token of the ended epoch is issued at worst, which the
   * end revokes.
   * @throws CodedError INVALID_REFRESH_TOKEN when the epoch of the session has ended
   */
  const refreshedTokens = async (session: Session, generation: number): Promise<Tokens> => {
    const { wallet, partnerId } = session;
    const [epoch, user] = await Promise.all([epochs.current({ wallet, partnerId }), userOf(wallet, partnerId)]);
    if ((session.epoch ?? 0) < epoch) throw new CodedError('INVALID_REFRESH_TOKEN');
    return tokensOf(session, generation, user?.id);
  };

  const noteIfNew = async ({ id, wallets }: Pick<User, 'id' | 'wallets'>, session: Session): Promise<void> => {
    const addresses = wallets.map(({ address }) => address);
    const earlier = await store.signIns(addresses, session.partnerId);
    if (isNewDevice(session, earlier)) await noteNewDevice(id, session.wallet);
  };

  /** Finds a session that has come to a generation. Proves it if it seems not to: a primary that was just elected may not show the last refresh. */
  const findAt = async (sessionId: string, generation: number): Promise<Session | undefined> => {
    const found = await store.find(sessionId);
    return found !== undefined && generation <= found.generation ? found : store.findProven(sessionId);
  };

  return {
    end,
    endAllOf: async (owner, cause) => {
      await epochs.end(owner, cause, runtime.now());
      await announcements.announceWallet(owner);
    },
    find: (sessionId) => findAt(sessionId, 0),
    page: (owner, page) => store.page(owner, page, runtime.now()),

    open: async (input) => {
      const now = runtime.now();
      const { wallet, partnerId } = input;
      const [epoch, user] = await Promise.all([epochs.current({ wallet, partnerId }), userOf(wallet, partnerId)]);
      const session: Session = {
        ...input,
        epoch,
        id: runtime.newId(),
        salt: Buffer.from(runtime.randomBytes(SALT_BYTES)).toString('base64url'),
        generation: 0,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: refreshableUntil({ createdAt: now }, now),
      };
      // Noted before it is stored: after a failure, a repeat would find the session, and know the device.
      if (user !== undefined) await noteIfNew(user, session);
      await store.add(session);
      const displaced = await store.revokeBeyond({ wallets: [{ address: wallet, epoch }], partnerId }, MAX_SESSIONS, now);
      if (displaced.length > 0) await announcements.announce(displaced);
      return tokensOf(session, 0, user?.id);
    },

    refresh: async (refreshToken, jkt) => {
      const presented = parseRefreshToken(refreshToken);
      if (presented === undefined) throw new CodedError('INVALID_REFRESH_TOKEN');
      const { sessionId, generation } = presented;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const session = await findAt(sessionId, generation);
        if (session === undefined || !refreshTokens.isGenuine(session, presented)) throw new CodedError('INVALID_REFRESH_TOKEN');
        // Before the generation is judged, so that a thief without the key cannot end the session either.
        const bound = session.jkt ?? undefined;
        if (bound !== jkt) throw wrongProof(bound, jkt);
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
            return refreshedTokens(session, generation + 1);
          case 'rotate':
            if (await store.rotate(sessionId, generation, now, refreshableUntil(session, now))) {
              return refreshedTokens(session, generation + 1);
            }
        }
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the session changed during every attempt' });
    },
  };
};
