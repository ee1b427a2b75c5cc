import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { quietLogger } from '@florin/rpc/testing';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { newEmail, newWallet } from '../support/story.ts';

/** Limits of the gateway that is flooded: the defaults. */
export const DEFAULT_LIMITS = { RATE_LIMIT_PER_MINUTE: '600', AUTH_RATE_LIMIT_PER_MINUTE: '60' } as const;

/** Part by which the memory that does not expire may grow. */
const MAX_GROWTH = 0.05;

/** Keys that one admitted sign-in can leave: a nonce, a session's limits and counters, a code, and some records. */
const KEYS_PER_SIGN_IN = 16;
const LONGEST_TTL_MS = 24 * 60 * 60 * 1000;
const WARM_UP_WALLETS = 100;
const CONCURRENCY = 32;

export type Footprint = {
  /** Bytes that Redis uses, without the buffers of its clients. */
  usedBytes: number;
  /** Bytes of `usedBytes` in keys that expire. */
  expiringBytes: number;
  /** Number of keys that expire. */
  expiringKeys: number;
  /** Names of the keys that do not expire. */
  lasting: string[];
  /** The longest time to live, in milliseconds. */
  longestTtlMs: number;
};

const numberIn = (info: string, name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);

/** Measures what a Redis holds. */
const measureRedis = async (redis: Redis): Promise<Footprint> => {
  const footprint: Footprint = { usedBytes: 0, expiringBytes: 0, expiringKeys: 0, lasting: [], longestTtlMs: 0 };
  for await (const keys of redis.scanIterator({ COUNT: 500 })) {
    for (const key of keys) {
      const [ttlMs, bytes] = await Promise.all([redis.pTTL(key), redis.memoryUsage(key)]);
      if (ttlMs === -1) footprint.lasting.push(key);
      if (ttlMs <= 0) continue;
      footprint.expiringKeys += 1;
      footprint.expiringBytes += bytes ?? 0;
      footprint.longestTtlMs = Math.max(footprint.longestTtlMs, ttlMs);
    }
  }
  const info = await redis.info('memory');
  footprint.usedBytes = numberIn(info, 'used_memory') - numberIn(info, 'mem_clients_normal');
  return footprint;
};

/** Everything that a stranger can make up in a request: ids, keys and addresses that differ in each one. */
const madeUp = () => ({
  'x-request-id': randomUUID(),
  'idempotency-key': randomUUID(),
  'x-forwarded-for': Array.from({ length: 4 }, () => randomInt(1, 250)).join('.'),
});

const randomToken = (): string => Array.from({ length: 3 }, () => randomBytes(40).toString('base64url')).join('.');

/** The requests that a signed-in wallet can repeat without a registration. */
const useToken = async (api: ApiClient, token: string): Promise<void> => {
  const send = (method: string, path: string, body?: object) =>
    api.request(method, path, { token, headers: madeUp(), ...(body === undefined ? {} : { body }) });
  await send('GET', '/cards');
  for (let count = 0; count < 3; count += 1) await send('DELETE', `/auth/sessions/${randomUUID()}`);
  await send('POST', '/email-verification', { email: newEmail() });
  await send('POST', '/user', { email: newEmail(), otp: String(randomInt(100_000, 1_000_000)) });
  await send('POST', '/cards/virtual', { cardName: 'x' });
};

/** One fresh wallet: it asks for a nonce, signs in if it got one, and otherwise tries made-up proofs. @returns whether it signed in */
const visit = async (api: ApiClient): Promise<boolean> => {
  const wallet = newWallet();
  const query = new URLSearchParams({ domain: 'localhost:3000', uri: 'http://localhost:3000/login' });
  const offered = await api.request('GET', `/auth/siwe/${wallet.address}?${query}`, { headers: madeUp() });
  if (offered.status === 200) {
    const { message } = offered.body as { message: string };
    const body = { message, signature: await wallet.signMessage({ message }) };
    const signedIn = await api.request('POST', '/auth/siwe', { headers: madeUp(), body });
    if (signedIn.status !== 200) return false;
    await useToken(api, (signedIn.body as { accessToken: string }).accessToken);
    return true;
  }
  const attempts = [
    () => api.request('DELETE', `/auth/sessions/${randomUUID()}`, { token: randomToken(), headers: madeUp() }),
    () => api.request('POST', '/auth/refresh', { headers: madeUp(), body: { refreshToken: randomToken() } }),
    () => api.request('POST', '/auth/siwe', { headers: madeUp(), body: { message: randomToken(), signature: `0x${'11'.repeat(65)}` } }),
  ];
  await attempts[randomInt(attempts.length)]?.();
  return false;
};

const flood = async (api: ApiClient, wallets: number): Promise<number> => {
  let left = wallets;
  let signedIn = 0;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      if (await visit(api)) signedIn += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return signedIn;
};

/** Describes what is wrong with the footprint after a flood of so many minutes. */
export const judgeGrowth = (before: Footprint, after: Footprint, minutes: number): string[] => {
  const lastingBytes = ({ usedBytes, expiringBytes }: Footprint): number => usedBytes - expiringBytes;
  const growth = lastingBytes(after) / lastingBytes(before) - 1;
  const maxKeys = KEYS_PER_SIGN_IN * Number(DEFAULT_LIMITS.AUTH_RATE_LIMIT_PER_MINUTE) * (minutes + 1);
  const added = after.lasting.filter((key) => !before.lasting.includes(key));
  return [
    ...(growth > MAX_GROWTH ? [`memory that does not expire grew by ${(growth * 100).toFixed(1)} %`] : []),
    ...(after.expiringKeys - before.expiringKeys > maxKeys ? [`${after.expiringKeys} keys expire, at most ${maxKeys} may`] : []),
    ...(added.length > 0 ? [`keys without expiry were added: ${added.slice(0, 5).join(', ')}`] : []),
    ...(after.longestTtlMs > LONGEST_TTL_MS ? [`a key lives for ${after.longestTtlMs} ms`] : []),
  ];
};

const describeFootprint = ({ usedBytes, expiringBytes, expiringKeys, lasting }: Footprint): string =>
  `${usedBytes} bytes, of which ${expiringBytes} in ${expiringKeys} keys that expire; ${lasting.length} keys that do not`;

/**
 * Lets one address act as many fresh wallets against a gateway with `DEFAULT_LIMITS`, and compares what its Redis holds afterwards with
 * what it held after a warm-up.
 */
export const growRedis = async (
  { gatewayUrl, redisUrl }: { gatewayUrl: string; redisUrl: string },
  { wallets, report }: { wallets: number; report: (line: string) => void },
): Promise<{ problems: string[]; signedIn: number }> => {
  const api = createApiClient(gatewayUrl);
  const redis = await openRedis(redisUrl, quietLogger);
  try {
    const warmedUp = await flood(api, WARM_UP_WALLETS);
    const before = await measureRedis(redis);
    report(`after the warm-up: ${describeFootprint(before)}`);
    const startedAt = performance.now();
    const signedIn = await flood(api, wallets);
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
    const after = await measureRedis(redis);
    report(`after ${wallets} wallets, of which ${signedIn} could sign in, in ${minutes} min: ${describeFootprint(after)}`);
    const problems = judgeGrowth(before, after, minutes);
    for (const problem of problems) report(problem);
    return { problems, signedIn: warmedUp + signedIn };
  } finally {
    redis.destroy();
  }
};
