import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type OwnSession, type Permission, permissionsOf, type Session, STEP_UP_PERMISSIONS } from '../contract/index.ts';
import type { CookieKind } from '../http/cookies.ts';
import type { Operator, OperatorStore } from '../store/operators.ts';
import type { SessionStore, StoredSession } from '../store/sessions.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** How long a confirmation by passkey counts. */
const CONFIRMED_MS = 5 * 60_000;

/** How much older a session may look than it is: not every request is a write. */
const TOUCH_MS = 30_000;

/** How long a session goes on that a confirmation has replaced: the page may have requests under way. */
const REPLACED_MS = 10_000;

const UNAUTHORIZED = new CodedError('UNAUTHORIZED', { message: 'there is no session: sign in' });

/** The error for a token that no session has, such as a guessed one. */
export const UNKNOWN_TOKEN = new CodedError('UNAUTHORIZED', { message: 'there is no such session: sign in' });

/** The error for the token of a session that is over. */
export const ENDED_SESSION = new CodedError('UNAUTHORIZED', { message: 'the session is over: sign in' });

/** The beginning of a session: a credential that has answered, or a person at the OpenID provider. */
export type BegunWith = { passkeyId: string } | { provider: string };

/** Name of a session on pages: another one after each confirmation. */
const viewIdOf = ({ _id }: StoredSession): string => _id.slice(0, 32);

/** A session with its operator, as both are now. */
export type OperatorSession = { stored: StoredSession; operator: Operator };

export type SessionTimes = { idleMs: number; lifeMs: number };

/** Sessions of operators: opaque tokens in a cookie, of which hashes are stored. */
export const createSessions = ({
  sessions,
  operators,
  runtime,
  cookie,
  times,
}: {
  sessions: SessionStore;
  operators: OperatorStore;
  runtime: Pick<Runtime, 'now' | 'randomBytes'>;
  cookie: CookieKind;
  times: SessionTimes;
}) => {
  const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
  const confirmedUntil = ({ confirmedAt }: StoredSession): Date | undefined =>
    confirmedAt === undefined ? undefined : after(confirmedAt, CONFIRMED_MS);

  const requireConfirmed = ({ stored }: Pick<OperatorSession, 'stored'>): void => {
    const until = confirmedUntil(stored);
    if (until === undefined || until <= runtime.now()) {
      throw new CodedError('REAUTHENTICATION_REQUIRED', { message: 'confirm with a passkey first' });
    }
  };

  const toContract = ({ stored, operator }: OperatorSession): Session => {
    const until = confirmedUntil(stored);
    const idleExpiresAt = new Date(Math.min(after(stored.lastUsedAt, times.idleMs).getTime(), stored.expiresAt.getTime()));
    return {
      operator: { id: operator._id, email: operator.email, name: operator.name, roles: operator.roles },
      permissions: permissionsOf(operator.roles),
      idleExpiresAt: idleExpiresAt.toISOString(),
      expiresAt: stored.expiresAt.toISOString(),
      ...(until === undefined || until <= runtime.now() ? {} : { steppedUpUntil: until.toISOString() }),
    };
  };

  return {
    toContract,
    times,

    /**
     * Begins a session, and ends the one that the browser had.
     * @param former the token of the browser's session, if it has one
     * @returns it, and the header that puts its token into the cookie
     */
    begin: async (
      operator: Operator,
      begunWith: BegunWith,
      former: string | undefined,
    ): Promise<{ session: OperatorSession; setCookie: string }> => {
      const now = runtime.now();
      const token = newSecret(runtime);
      const stored: StoredSession = {
        _id: hashSecret(token),
        operatorId: operator._id,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: after(now, times.lifeMs),
        ...('provider' in begunWith ? { passkeyIds: [], ...begunWith } : { confirmedAt: now, passkeyIds: [begunWith.passkeyId] }),
      };
      await sessions.insert(stored);
      if (former !== undefined) await sessions.end(hashSecret(former));
      return { session: { stored, operator }, setCookie: cookie.set(token, times.lifeMs / 1000) };
    },

    /**
     * The session of a request. Roles and status of its operator are read each time, so a change holds at once.
     * @param isUse whether the request shows that the operator is there
     * @throws CodedError UNAUTHORIZED
     */
    require: async (token: string | undefined, { isUse }: { isUse: boolean }): Promise<OperatorSession> => {
      const stored = token === undefined || token === '' ? null : await sessions.find(hashSecret(token));
      const now = runtime.now();
      if (stored === null && token !== undefined && token !== '') throw UNKNOWN_TOKEN;
      if (stored === null) throw UNAUTHORIZED;
      if (stored.expiresAt <= now || after(stored.lastUsedAt, times.idleMs) <= now) throw ENDED_SESSION;
      const operator = await operators.find(stored.operatorId);
      if (operator?.status !== 'active') throw ENDED_SESSION;
      const isOver = stored.passkeyIds?.some((id) => operator.passkeys.every((passkey) => passkey.id !== id));
      const isUnlinked = stored.provider !== undefined && stored.provider !== operator.oidc;
      if (isOver === true || isUnlinked) throw ENDED_SESSION;
      if (isUse && after(stored.lastUsedAt, Math.min(TOUCH_MS, times.idleMs / 4)) <= now) {
        await sessions.used(stored._id, now);
        stored.lastUsedAt = now;
      }
      return { stored, operator };
    },

    /** Confirms a session, which gets another token: whoever has stolen the former one has none that is confirmed. @returns it, and the header with its token */
    confirmed: async (
      { stored: former, operator }: OperatorSession,
      passkeyId: string,
    ): Promise<{ session: OperatorSession; setCookie: string }> => {
      const now = runtime.now();
      const token = newSecret(runtime);
      const passkeyIds = [...new Set([...(former.passkeyIds ?? []), passkeyId])];
      const stored = { ...former, _id: hashSecret(token), lastUsedAt: now, confirmedAt: now, passkeyIds };
      await sessions.replace(former._id, stored, after(now, REPLACED_MS));
      const setCookie = cookie.set(token, Math.ceil((stored.expiresAt.getTime() - now.getTime()) / 1000));
      return { session: { stored, operator }, setCookie };
    },

    /** The sessions of an operator, as the operator sees them. */
    listOwn: async ({ stored: { _id: current }, operator }: OperatorSession): Promise<OwnSession[]> => {
      const now = runtime.now();
      const open = (await sessions.listOf(operator._id, now)).filter(({ lastUsedAt }) => after(lastUsedAt, times.idleMs) > now);
      return open.map((session) => ({
        id: viewIdOf(session),
        current: session._id === current,
        by: session.provider === undefined && session.passkeyIds?.length !== 0 ? 'passkey' : 'provider',
        createdAt: session.createdAt.toISOString(),
        lastUsedAt: session.lastUsedAt.toISOString(),
        expiresAt: session.expiresAt.toISOString(),
      }));
    },

    /** Ends a session of the operator. @throws CodedError NOT_FOUND */
    endOwn: async ({ operator }: OperatorSession, id: string): Promise<void> => {
      const found = (await sessions.listOf(operator._id, runtime.now())).find((session) => viewIdOf(session) === id);
      if (found === undefined) throw new CodedError('NOT_FOUND', { message: 'there is no such session' });
      await sessions.end(found._id);
    },

    /** Ends a session. @returns the header that removes the cookie */
    end: async ({ stored }: OperatorSession): Promise<string> => {
      await sessions.end(stored._id);
      return cookie.set('', 0);
    },

    /**
     * Requires that the operator has confirmed within the last minutes; one without a passkey, that the session is as new.
     * @throws CodedError REAUTHENTICATION_REQUIRED
     */
    requireFresh: ({ stored, operator }: OperatorSession): void => {
      const until = operator.passkeys.length === 0 ? after(stored.createdAt, CONFIRMED_MS) : confirmedUntil(stored);
      if (until === undefined || until <= runtime.now()) {
        throw new CodedError('REAUTHENTICATION_REQUIRED', { message: 'confirm with a passkey first, or sign in again' });
      }
    },

    /** Requires that the operator has confirmed with a passkey within the last minutes. @throws CodedError REAUTHENTICATION_REQUIRED */
    requireConfirmed,

    /** @throws CodedError FORBIDDEN, REAUTHENTICATION_REQUIRED */
    allow: ({ stored, operator }: OperatorSession, permission: Permission, { changes }: { changes: boolean }): void => {
      if (!permissionsOf(operator.roles).includes(permission)) {
        throw new CodedError('FORBIDDEN', { message: `the operator has no role with the permission ${permission}` });
      }
      if (changes && STEP_UP_PERMISSIONS.includes(permission)) requireConfirmed({ stored });
    },
  };
};

export type Sessions = ReturnType<typeof createSessions>;
