/** The tokens of a session. */
export type SessionTokens = {
  accessToken: string;
  /** Absent where the browser keeps it in a cookie. */
  refreshToken?: string | undefined;
  /** When to refresh, shortly before the access token expires, in milliseconds since 1970. */
  refreshAt: number;
  /** Absent while the wallet is not registered. */
  userId?: string | undefined;
};

/** Store of a session's tokens. A reader of them can act as their owner. */
export type TokenStore = {
  read: () => SessionTokens | undefined | Promise<SessionTokens | undefined>;
  /** Replaces the tokens; undefined forgets them. */
  write: (tokens: SessionTokens | undefined) => void | Promise<void>;
};

/** Keeps tokens for as long as the program or page lives. */
export const createMemoryStore = (): TokenStore => {
  let kept: SessionTokens | undefined;
  return {
    read: () => kept,
    write: (tokens) => {
      kept = tokens;
    },
  };
};

export type SessionOptions = {
  store: TokenStore;
  /** Name of the Web Lock under which tokens are refreshed, where several tabs share them. */
  lock: string | undefined;
  /** The refresh token is a cookie of the page's origin. */
  withCookie: boolean;
};

/**
 * A session whose tokens the program keeps.
 * @param options.store default: memory
 * @param options.lock name of a Web Lock; required if tabs share the store, so that only one of them refreshes
 */
export const createSession = ({ store = createMemoryStore(), lock }: { store?: TokenStore; lock?: string } = {}): SessionOptions => ({
  store,
  lock,
  withCookie: false,
});

/**
 * The session of a page that the gateway serves: the access token is in memory, the refresh token in a cookie that no script can read. All tabs share
 * the cookie and refresh one after the other.
 */
export const createCookieSession = (): SessionOptions => ({ store: createMemoryStore(), lock: 'florin-session', withCookie: true });
