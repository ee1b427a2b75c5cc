import { REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { REVOCATION_KEPT_MS, type RevokedSessions } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { openStreamFollower, type Redis, type StreamEntry } from '../redis/index.ts';
import type { RevocationSource } from './document.ts';

/** Identity is asked at most so often. */
const SOURCE_INTERVAL_MS = 1000;

/** A Redis that falls silent is given up early enough to ask identity before tokens are refused. */
const SILENCE_MS = 2500;

const sessionsIn = (entries: readonly StreamEntry[]): string[] => entries.flatMap(({ message }) => message['sid'] ?? []);

/**
 * Keeps a process's revoked sessions up to date: from the stream, within milliseconds; while Redis is away from identity, within a
 * second. Identity is also asked once at the start and whenever Redis came back, until it answered: Redis may have lost what it knew.
 *
 * So a logout takes effect: in the process that made it at once; elsewhere within milliseconds; while Redis cannot be reached from there
 * within about a second (2.5 s more when Redis falls silent without closing its connections). When neither Redis nor identity can be
 * asked, user tokens are refused (SERVICE_UNAVAILABLE) from the fifth second on.
 * @throws when Redis cannot be reached at the start
 */
export const followRevocations = async ({
  redis,
  source,
  revoked,
  logger,
}: {
  redis: Redis;
  source: RevocationSource;
  revoked: RevokedSessions;
  logger: Logger;
}): Promise<{ close: () => Promise<void> }> => {
  const follower = await openStreamFollower(redis, REVOKED_SESSIONS_STREAM, { logger, silenceMs: SILENCE_MS });
  let away = false;
  /** Whether identity's word is still wanted although the stream can be read. */
  let unconfirmed = true;
  let failing = false;

  const askSource = async (): Promise<void> => {
    if (!away && !unconfirmed) return;
    try {
      revoked.add(await source());
      revoked.heard();
      if (!away) unconfirmed = false;
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'revoked sessions cannot be had from identity, will be repeated');
      failing = true;
    }
  };

  const take = (entries: readonly StreamEntry[]): void => revoked.add(sessionsIn(entries));
  // Stream ids are times.
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
  const rounds = startRounds({ round: askSource, intervalMs: SOURCE_INTERVAL_MS, logger, failed: 'revoked sessions' });

  return {
    close: async () => {
      await Promise.all([rounds.close(), follower.close()]);
    },
  };
};
