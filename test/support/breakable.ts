import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startRedisRelay } from '@florin/data/testing';

type Relay = Awaited<ReturnType<typeof startRedisRelay>>;

export type InstanceFaults = {
  /** Its connections to Redis. */
  redis: Pick<Relay, 'cut' | 'restore'>;
  /** The connections of the other instances to it. */
  peers: Pick<Relay, 'cut' | 'restore'>;
  /** Sets its clock off by so many milliseconds. */
  shiftClock: (offsetMs: number) => Promise<void>;
};

/** Relays in front of an instance and of its Redis, and a clock that can be set. */
export const makeBreakable = async (dataDir: string, port: number, redisUrl: string, pid: () => number | undefined) => {
  const redis = await startRedisRelay(redisUrl);
  // It relays any TCP connection.
  const peers = await startRedisRelay(`redis://127.0.0.1:${port}`);
  const clockFile = join(dataDir, `clock-${port}`);
  await writeFile(clockFile, '0');
  const shiftClock = async (offsetMs: number): Promise<void> => {
    await writeFile(clockFile, String(offsetMs));
    const running = pid();
    if (running !== undefined) process.kill(running, 'SIGUSR2');
  };
  return {
    env: { REDIS_URL: redis.url, ADVERTISE_URL: peers.url.replace('redis:', 'http:'), CLOCK_OFFSET_FILE: clockFile },
    faults: { redis, peers, shiftClock } satisfies InstanceFaults,
    close: () => Promise.all([redis.close(), peers.close()]),
  };
};
