import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRedisRelay } from '@florin/data/testing';
import type { NetworkPlace } from './network-namespaces.ts';

/** Something that can be taken from an instance and given back. */
type Breakable = { cut: () => Promise<void>; restore: () => Promise<void> };

export type InstanceFaults = {
  /** Where the other instances reach it. */
  address: string;
  /** Its connections to Redis. */
  redis: Breakable;
  /** The connections of the other instances to it. */
  peers: Breakable;
  /** All its connections, without a word to either side; only in a network namespace. */
  cable?: Breakable;
  /** Sets its clock off by so many milliseconds. */
  shiftClock: (offsetMs: number) => Promise<void>;
};

export type BreakableInstance = {
  dataDir: string;
  port: number;
  mongodbUri: string;
  redisUrl: string;
  identityUrl: string;
  pid: () => number | undefined;
  /** Network namespace that it runs in. */
  place?: NetworkPlace | undefined;
};

/** How its engines and the other instances are reached from, and in, a network namespace. */
const inNamespace = async ({ port, mongodbUri, redisUrl, identityUrl }: BreakableInstance, place: NetworkPlace) => {
  const { address, hostAddress, isolate, plug } = place;
  const redis = await startRedisRelay(redisUrl, hostAddress);
  const mongodb = await startRedisRelay(mongodbUri, hostAddress);
  const identity = await startRedisRelay(identityUrl, hostAddress);
  const [from, to] = [new URL(mongodbUri).host, new URL(mongodb.url).host];
  return {
    env: {
      HOST: address,
      REDIS_URL: redis.url,
      MONGODB_URI: mongodbUri.replace(from, to),
      IDENTITY_URL: identity.url.replace('redis:', 'http:'),
      ADVERTISE_URL: `http://${address}:${port}`,
    },
    faults: {
      redis,
      peers: { cut: () => isolate(true), restore: () => isolate(false) },
      cable: { cut: () => plug(false), restore: () => plug(true) },
    },
    close: () => Promise.all([redis.close(), mongodb.close(), identity.close()]),
  };
};

const onLoopback = async ({ port, redisUrl }: BreakableInstance) => {
  const redis = await startRedisRelay(redisUrl);
  // It relays any TCP connection.
  const peers = await startRedisRelay(`redis://127.0.0.1:${port}`);
  return {
    env: { REDIS_URL: redis.url, ADVERTISE_URL: peers.url.replace('redis:', 'http:') },
    faults: { redis, peers },
    close: () => Promise.all([redis.close(), peers.close()]),
  };
};

/** The relays between an instance, its Redis and the other instances, and a clock that can be set. */
export const makeBreakable = async (instance: BreakableInstance) => {
  const { dataDir, port, pid, place } = instance;
  const { env, faults, close } = place === undefined ? await onLoopback(instance) : await inNamespace(instance, place);
  const clockFile = join(dataDir, `clock-${port}`);
  await writeFile(clockFile, '0');
  const shiftClock = async (offsetMs: number): Promise<void> => {
    await writeFile(clockFile, String(offsetMs));
    const running = pid();
    if (running !== undefined) process.kill(running, 'SIGUSR2');
  };
  return {
    env: { ...env, CLOCK_OFFSET_FILE: clockFile },
    faults: { ...faults, address: env.ADVERTISE_URL, shiftClock } satisfies InstanceFaults,
    close,
  };
};
