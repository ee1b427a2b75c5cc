import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type Permission, permissionsOf, type Session, STEP_UP_PERMISSIONS } from '../contract/index.ts';
import type { CookieKind } from '../http/cookies.ts';
import type { Operator, OperatorStore } from '../store/operators.ts';
import type { SessionStore, StoredSession } from '../store/sessions.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** How long a confirmation by passkey counts. */
const CONFIRMED_MS = 5 * 60_000;

/** How much older a session may look than it is: not every request is a write. */
const TOUCH_MS = 30_000;

const UNAUTHORIZED = new CodedError('UNAUTHORIZED', { message: 'there is no session: sign in' });

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

    /** Begins a session. @param passkeyId the credential that has answered; absent for a sign-in at the provider. @returns it, and the header that puts its token into the cookie */
    begin: async (operator: Operator, passkeyId?: string): Promise<{ session: OperatorSession; setCookie: string }> => {
      const now = runtime.now();
      const token = newSecret(runtime);
      const stored: StoredSession = {
        _id: hashSecret(token),
        operatorId: operator._id,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: after(now, times.lifeMs),
        ...(passkeyId === undefined ? { passkeyIds: [] } : { confirmedAt: now, passkeyIds: [passkeyId] }),
      };
      await sessions.insert(stored);
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
      if (stored === null || stored.expiresAt <= now || after(stored.lastUsedAt, times.idleMs) <= now) throw UNAUTHORIZED;
      const operator = await operators.find(stored.operatorId);
      if (operator?.status !== 'active') throw UNAUTHORIZED;
      const isOver = stored.passkeyIds?.some((id) => operator.passkeys.every((passkey) => passkey.id !== id));
      if (isOver === true) throw UNAUTHORIZED;
      if (isUse && after(stored.lastUsedAt, Math.min(TOUCH_MS, times.idleMs / 4)) <= now) {
        await sessions.used(stored._id, now);
        stored.lastUsedAt = now;
      }
      return { stored, operator };
    },

    confirmed: async ({ stored, operator }: OperatorSession, passkeyId: string): Promise<OperatorSession> => {
      const now = runtime.now();
      await sessions.confirmed(stored._id, now, passkeyId);
      return { stored: { ...stored, confirmedAt: now, lastUsedAt: now }, operator };
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

    /** @throws CodedError FORBIDDEN, REAUTHENTICATION_REQUIRED */
    allow: ({ stored, operator }: OperatorSession, permission: Permission, { changes }: { changes: boolean }): void => {
      if (!permissionsOf(operator.roles).includes(permission)) {
        throw new CodedError('FORBIDDEN', { message: `the operator has no role with the permission ${permission}` });
      }
      const until = confirmedUntil(stored);
      if (changes && STEP_UP_PERMISSIONS.includes(permission) && (until === undefined || until <= runtime.now())) {
        throw new CodedError('REAUTHENTICATION_REQUIRED', { message: 'confirm with a passkey first' });
      }
    },
  };
};

export type Sessions = ReturnType<typeof createSessions>;
