import type { Input } from './build-request.ts';
import { toCall } from './call.ts';
import type { Calls } from './generated/calls.ts';
import { ROUTES } from './generated/routes.ts';
import type { ProofKey } from './proof.ts';
import { isStream, type Route } from './routes.ts';
import type { Fetch } from './send-once.ts';
import { fixedTokens, openSession, type Session, type Tokens } from './session.ts';
import { createSession, type SessionOptions } from './token-store.ts';
import { createTransport, type Transport } from './transport.ts';
import type { CallOptions, StreamOptions } from './types.ts';
import { watch } from './watch.ts';

export type ClientOptions = {
  /** Address of the gateway, for example `https://api.example.com`. */
  url: string;
  /** Default: tokens in memory. */
  session?: SessionOptions;
  /** Token of each request, instead of a session. */
  token?: string | (() => string | Promise<string>);
  /** Binds sessions that this client begins to a key, and proves it with each request (RFC 9449). */
  proofKey?: ProofKey;
  /** Longest time of one attempt; 20 seconds. */
  timeoutMs?: number;
  /** How often a failed attempt is repeated; 3. */
  retries?: number;
  /** Pause before the first repeat, which doubles with each one; half a second. */
  retryPauseMs?: number;
  /** The longest `Retry-After` that is waited for; 10. */
  maxRetryAfterSeconds?: number;
  /** Default: the global one. */
  fetch?: Fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** The operations of the platform by group, and the session. */
export type Client = Calls & { readonly session: Session };

const DEFAULTS = { timeoutMs: 20_000, retries: 3, retryPauseMs: 500, maxRetryAfterSeconds: 10 };

const routeOf = (name: string): Route => {
  const [group = '', call = ''] = name.split('.');
  const route = ROUTES[group]?.[call];
  if (route === undefined) throw new TypeError(`there is no operation ${name}`);
  return route;
};

/** The function of one operation. */
const toFunction = (name: string, route: Route, transport: Transport) => {
  const operation = { name: name.replace(/Csv$/, ''), route };
  if (isStream(route)) {
    return (input: Input = {}, options: StreamOptions = {}) =>
      watch(
        name,
        (signal, id) => transport.open(operation, input, { signal, ...(id === '' ? {} : { headers: { 'last-event-id': id } }) }),
        options,
      );
  }
  return (input: Input = {}, options: CallOptions = {}) => {
    const call = (changed: Input) => transport.call(operation, { ...input, ...changed }, options);
    return toCall(call({}), call);
  };
};

/**
 * Creates a client of a gateway. It sends nothing before its first call.
 * @throws TypeError if the URL is none
 */
export const createClient = (options: ClientOptions): Client => {
  const { session: sessionOptions = createSession(), token, proofKey, fetch: get, now = Date.now, ...settings } = options;
  const url = new URL(options.url).href.replace(/\/+$/, '');
  const tokens = (): Tokens => source;
  const transport = createTransport(
    {
      ...DEFAULTS,
      ...settings,
      url,
      proofKey,
      now,
      withCookie: sessionOptions.withCookie,
      // A global of a browser works only as a method of its window, and a test may replace it.
      fetch: get ?? ((...request) => fetch(...request)),
    },
    tokens,
  );
  const session = openSession(sessionOptions, (name, input) => transport.call({ name, route: routeOf(name) }, input, {}), now);
  const source: Tokens = token === undefined ? session : fixedTokens(typeof token === 'string' ? () => token : token);
  const groups = Object.entries(ROUTES).map(([group, calls]) => [
    group,
    Object.fromEntries(Object.entries(calls).map(([name, route]) => [name, toFunction(`${group}.${name}`, route, transport)])),
  ]);
  return { ...(Object.fromEntries(groups) as Calls), session };
};
