import { JWKS_PATH } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { PlatformFetch } from '@florin/rpc/tls';
import { z } from 'zod';

const FETCH_TIMEOUT_MS = 3000;
const MAX_CHARACTERS = 64 * 1024;

/**
 * How long a fetched key set is served, in seconds, and kept by clients: a revoked key disappears within twice this time. Identity publishes a new
 * key before signing with it.
 */
export const KEYS_FRESH_SECONDS = 25;

/** Public Ed25519 keys (RFC 8037). Other fields, private key parts in particular, are dropped. */
export const publishedKeysSchema = z.object({
  keys: z
    .array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().max(64),
        kid: z.string().max(128),
        alg: z.literal('EdDSA').optional(),
        use: z.literal('sig').optional(),
      }),
    )
    .max(32),
});
export type PublishedKeys = z.output<typeof publishedKeysSchema>;

/**
 * Identity's key set, fetched at most every 25 seconds. While identity is unavailable, the last known set is returned.
 * @throws CodedError SERVICE_UNAVAILABLE when no set was fetched yet
 */
export const createPublishedKeys = (identityUrl: string, now: () => Date, platformFetch: PlatformFetch): (() => Promise<PublishedKeys>) => {
  let known: { keys: PublishedKeys; at: number } | undefined;
  let running: Promise<PublishedKeys> | undefined;

  const load = async (): Promise<PublishedKeys> => {
    const response = await platformFetch(new URL(JWKS_PATH, identityUrl), {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      redirect: 'error',
    });
    const text = await response.text();
    if (!response.ok || text.length > MAX_CHARACTERS) throw new Error(`fetching the key set returned status ${response.status}`);
    const keys = publishedKeysSchema.parse(JSON.parse(text));
    known = { keys, at: now().getTime() };
    return keys;
  };

  return async () => {
    if (known !== undefined && now().getTime() - known.at < KEYS_FRESH_SECONDS * 1000) return known.keys;
    running ??= load().finally(() => {
      running = undefined;
    });
    try {
      return await running;
    } catch (cause) {
      if (known !== undefined) return known.keys;
      throw new CodedError('SERVICE_UNAVAILABLE', { cause });
    }
  };
};
