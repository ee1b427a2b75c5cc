import { WebhookError } from './errors.ts';
import type { PublicJwk } from './signatures.ts';

export type { PublicJwk } from './signatures.ts';

/** Gets the sender's public keys. With `again` it asks for newer ones than it has. @throws WebhookError KEYS_UNAVAILABLE */
export type KeySource = (again?: boolean) => Promise<readonly PublicJwk[]>;

type Options = {
  /** Default: the global one. */
  fetch?: (url: string, options: { redirect: 'error'; signal: AbortSignal }) => Promise<{ ok: boolean; json: () => Promise<unknown> }>;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** How long keys are used before they are fetched again. */
const FRESH_MS = 600_000;

/** Least time between two requests, so that forged signatures cause few. */
const PAUSE_MS = 30_000;

const TIMEOUT_MS = 5000;

/** Most keys of a set: each costs a check per signature. */
const MAX_KEYS = 20;

const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const keysOf = (document: unknown): readonly PublicJwk[] => {
  const { keys } = (document ?? {}) as { keys?: unknown };
  const isSet = Array.isArray(keys) && keys.length <= MAX_KEYS && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isSet) throw new TypeError('the response is not a set of keys');
  return keys as PublicJwk[];
};

/**
 * Fetches the keys of a JWKS (RFC 7517), and again when they are ten minutes old or a signature fits none of them. While the sender cannot be reached, the last keys
 * stay in use.
 * @param url for example `https://api.example.com/.well-known/webhooks/jwks.json`
 * @throws WebhookError KEY_INVALID if the URL is not https; http is for this machine only
 */
export const publishedKeys = (url: string, { fetch: get = fetch, now = Date.now }: Options = {}): KeySource => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOCAL_HOSTS.has(hostname))) {
    throw new WebhookError('KEY_INVALID', 'keys must be published over https');
  }
  let known: readonly PublicJwk[] | undefined;
  let knownAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedAt = now();
    const response = await get(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new TypeError('the keys were not returned');
    known = keysOf(await response.json());
    knownAt = now();
  };

  return async (again = false) => {
    const age = now() - knownAt;
    const isWanted = known === undefined || again || age >= FRESH_MS;
    if (isWanted && (known === undefined || now() - askedAt >= PAUSE_MS)) {
      running ??= ask().finally(() => {
        running = undefined;
      });
      try {
        await running;
      } catch (cause) {
        if (known === undefined) throw new WebhookError('KEYS_UNAVAILABLE', 'the keys of the sender cannot be fetched', { cause });
      }
    }
    return known ?? [];
  };
};
