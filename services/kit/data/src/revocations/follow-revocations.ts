import { REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { REVOCATION_KEPT_MS, type RevokedSessions } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { openStreamFollower, type Redis, type StreamEntry } from '../redis/index.ts';
import type { RevocationSource } from './document.ts';

/** Minimum interval between two fetches from identity. */
const SOURCE_INTERVAL_MS = 1000;

/** Interval in which identity is asked although Redis responds: an entry of the stream may have been removed before this process has read it. */
const CONFIRM_INTERVAL_MS = 30_000;

/** A silent Redis is treated as unavailable early enough to fetch from identity before tokens are rejected. */
const SILENCE_MS = 2500;

const sessionsIn = (entries: readonly StreamEntry[]): string[] => entries.flatMap(({ message }) => message['sid'] ?? []);

/**
 * Keeps a process's revoked sessions up to date from the Redis stream, or from identity while Redis is unavailable. Identity is also
 * asked at the start, after each outage of Redis and twice a minute, because Redis may have lost data, or somebody may have removed it.
 *
 * A logout takes effect immediately in the process that handles it and within milliseconds elsewhere. Without Redis it takes about a
 * second, plus 2.5 s when Redis falls silent without closing its connections. When neither Redis nor identity is available, user tokens
 * are rejected with SERVICE_UNAVAILABLE after five seconds.
 * @throws the client's error when Redis cannot be reached at the start
 */
export const followRevocations = async ({
  redis,
  source,
  revoked,
  logger,
  now = () => performance.now(),
}: {
  redis: Redis;
  source: RevocationSource;
  revoked: RevokedSessions;
  logger: Logger;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}): Promise<{ close: () => Promise<void> }> => {
  const follower = await openStreamFollower(redis, REVOKED_SESSIONS_STREAM, { logger, silenceMs: SILENCE_MS });
  let away = false;
  /** True if a fetch from identity is still required although the stream can be read. */
  let unconfirmed = true;
  let confirmedAt = 0;
  let failing = false;

  const fetchFromSource = async (): Promise<void> => {
    if (!away && !unconfirmed && now() - confirmedAt < CONFIRM_INTERVAL_MS) return;
    try {
      revoked.add(await source());
      revoked.heard();
      if (!away) unconfirmed = false;
      confirmedAt = now();
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'fetching revoked sessions from identity failed, will retry');
      failing = true;
    }
  };

  const take = (entries: readonly StreamEntry[]): void => revoked.add(sessionsIn(entries));
  // Stream ids start with the time in milliseconds.
  const position = await follower.readFrom(`${Date.now() - REVOCATION_KEPT_MS}-0`, take);
  revoked.heard();
  follower.run(position, {
    onEntries: take,
    onCaughtUp: revoked.heard,
    onAway: () => {
      away = true;
      unconfirmed = true;
      rounds.kick();
    },
    onBack: () => {
      away = false;
    },
  });
  const rounds = startRounds({
    round: fetchFromSource,
    intervalMs: SOURCE_INTERVAL_MS,
    logger,
    failed: 'following revoked sessions failed, will retry',
  });

  return {
    close: async () => {
      await Promise.all([rounds.close(), follower.close()]);
    },
  };
};
