import { FlorinError } from './errors.ts';
import type { Route } from './routes.ts';
import { inOneTab } from './tab-lock.ts';
import type { SessionOptions, SessionTokens } from './token-store.ts';

export type SessionState = 'signed-in' | 'signed-out';

/** The source of the tokens of requests. */
export type Tokens = {
  /** The token for a request; undefined without a session. */
  current: () => Promise<string | undefined>;
  /** Another token than one that was rejected; undefined if there is none. */
  renew: (rejected: string) => Promise<string | undefined>;
  /** Keeps in step with what a call has changed. */
  observe: (operation: string, answer: unknown) => Promise<void>;
};

/** The session of a client. */
export type Session = {
  isSignedIn: () => Promise<boolean>;
  /** Id of the user; undefined without a session, and while the wallet is not registered. */
  userId: () => Promise<string | undefined>;
  /** Gets new tokens, for example from the cookie when a page begins. @returns whether there is a session now @throws FlorinError if that is not known */
  refresh: () => Promise<boolean>;
  /** Logs out. The tokens are forgotten in any case. @throws FlorinError if the platform could not end the session */
  end: () => Promise<void>;
  /** Calls the listener when a session begins or is over. @returns a function that removes the listener */
  onChange: (listener: (state: SessionState) => void) => () => void;
};

/** The response to a sign-in, a refresh and a registration; the latter leaves the refresh token as it is. */
type Pair = { accessToken: string; refreshToken?: string; expiresIn: number; userId?: string };

/** How long before its end a token is refreshed: half a minute, and for short-lived tokens a tenth of their life. */
const marginMs = (expiresIn: number): number => Math.min(30_000, expiresIn * 100);

/** With the refresh token in a cookie, these calls go to the app's own endpoints. Other sites cannot send the header that they require. */
export const COOKIE_ROUTES: Readonly<Record<string, Route>> = {
  'auth.signIn': ['POST', '/app/session', 'b'],
  'auth.refreshSession': ['POST', '/app/session/refresh', ''],
  'auth.logout': ['DELETE', '/app/session', ''],
};
export const COOKIE_HEADERS = { 'x-florin-app': '1' } as const;

const REFRESH = 'auth.refreshSession';
const STARTS: ReadonlySet<string> = new Set(['auth.signIn', REFRESH, 'user.registerUser']);
const ENDS: ReadonlySet<string> = new Set(['auth.logout', 'auth.logoutAll', 'user.eraseUser']);

/** @param call performs an operation, without the session's token if it takes none */
export const openSession = (
  { store, lock, withCookie }: SessionOptions,
  call: (operation: string, input: Record<string, unknown>) => Promise<unknown>,
  now: () => number,
): Tokens & Session => {
  const listeners = new Set<(state: SessionState) => void>();
  let running: Promise<string | undefined> | undefined;

  const write = async (tokens: SessionTokens | undefined): Promise<void> => {
    const wasSignedIn = (await store.read()) !== undefined;
    await store.write(tokens);
    if (wasSignedIn === (tokens !== undefined)) return;
    for (const listener of listeners) listener(tokens === undefined ? 'signed-out' : 'signed-in');
  };

  const adopt = async (operation: string, { accessToken, refreshToken, expiresIn, userId }: Pair): Promise<void> => {
    const known = await store.read();
    // Another tab has signed in as somebody else: nothing that was begun here may be done as that person.
    if (operation === REFRESH && known?.userId !== undefined && known.userId !== userId) return write(undefined);
    await write({
      accessToken,
      refreshToken: refreshToken ?? known?.refreshToken,
      refreshAt: now() + expiresIn * 1000 - marginMs(expiresIn),
      userId,
    });
  };

  /** Exchanges the refresh token. @returns the new access token; undefined if the session is over, or another person's */
  const exchange = async (known: SessionTokens | undefined): Promise<string | undefined> => {
    if (!withCookie && known?.refreshToken === undefined) return undefined;
    try {
      await call(REFRESH, withCookie ? {} : { refreshToken: known?.refreshToken });
      return (await store.read())?.accessToken;
    } catch (error) {
      if (!(error instanceof FlorinError) || error.status !== 401) throw error;
      await write(undefined);
      return undefined;
    }
  };

  /** Refreshes once for all calls and tabs that ask meanwhile. @param isDone whether what was found in the store needs no refresh */
  const refreshUnless = (isDone: (tokens: SessionTokens) => boolean): Promise<string | undefined> => {
    running ??= inOneTab(lock, async () => {
      // Read under the lock: another tab may just have refreshed.
      const tokens = await store.read();
      return tokens !== undefined && isDone(tokens) ? tokens.accessToken : exchange(tokens);
    }).finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    current: async () => {
      const tokens = await store.read();
      if (tokens === undefined || tokens.refreshAt > now()) return tokens?.accessToken;
      return refreshUnless(({ refreshAt }) => refreshAt > now());
    },
    renew: async (rejected) => {
      const tokens = await store.read();
      if (tokens === undefined) return undefined;
      if (tokens.accessToken !== rejected) return tokens.accessToken;
      return refreshUnless(({ accessToken }) => accessToken !== rejected);
    },
    observe: async (operation, answer) => {
      if (STARTS.has(operation)) await adopt(operation, answer as Pair);
      if (ENDS.has(operation)) await write(undefined);
    },
    isSignedIn: async () => (await store.read()) !== undefined,
    userId: async () => (await store.read())?.userId,
    refresh: async () => (await refreshUnless(() => false)) !== undefined,
    end: async () => {
      try {
        await call('auth.logout', {});
      } finally {
        await write(undefined);
      }
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Gives every request the token of a function, for example one that a server signs itself. */
export const fixedTokens = (token: () => string | Promise<string>): Tokens => ({
  current: async () => token(),
  renew: async (rejected) => {
    const next = await token();
    return next === rejected ? undefined : next;
  },
  observe: async () => undefined,
});
