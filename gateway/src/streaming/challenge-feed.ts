import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import type { Challenge as WireChallenge } from '@florin/proto/threeds/v1/challenge';
import type { ChallengeService, WatchAllChallengesResponse } from '@florin/proto/threeds/v1/challenge_service';
import { isTokenExpiry } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';
import { createSerials, type Position, type Serials } from './event-ids.ts';
import { createResyncs, type Resyncs } from './resyncs.ts';
import { createSubscription, type Subscription } from './subscription.ts';

/** Reads a user's challenges with the user's own token: the pending ones, and those with the given ids. */
export type ReadAgain = (
  openIds: readonly string[],
) => Promise<{ challenges: readonly WireChallenge[]; serverTime: Timestamp | undefined }>;

export type ChallengeFeed = {
  /**
   * Registers a client for the changes of a user's challenges. Changes after `position` are delivered.
   * @throws CodedError SERVICE_UNAVAILABLE while the service could not be reached since the start
   */
  subscribe: (
    userId: string,
    readAgain: ReadAgain,
  ) => Promise<Pick<Subscription, 'begin' | 'next' | 'wake'> & { position: Position; close: () => void }>;
  serials: Serials;
  close: () => Promise<void>;
};

type FeedOptions = {
  client: Pick<Client<typeof ChallengeService>, 'watchAllChallenges'>;
  logger: Logger;
  now: () => Date;
  /** Silence after which the connection counts as broken. The service sends a message at least every five seconds. */
  silenceMs?: number;
};

const SILENCE_MS = 12_000;
const FIRST_CONNECTION_MS = 2000;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1000;

/**
 * Follows the changes of all challenges on one stream, and passes them on to the clients of this process by user. When the stream
 * breaks it resumes by position; where that is not possible, the clients' challenges are read again, so that they miss nothing.
 */
export const openChallengeFeed = ({ client, logger, now, silenceMs = SILENCE_MS }: FeedOptions): ChallengeFeed => {
  const byUser = new Map<string, Set<Subscription>>();
  const closing = new AbortController();
  const connected = Promise.withResolvers<void>();
  let position: Position | undefined;
  const resyncs: Resyncs = createResyncs({ logger, position: () => position ?? '0-0' });

  const take = ({ eventId, challenge, userId, serverTime, gap }: WatchAllChallengesResponse): void => {
    const isFirst = position === undefined;
    position = eventId;
    if (isFirst) connected.resolve();
    if (challenge !== undefined) {
      for (const subscription of byUser.get(userId) ?? []) subscription.deliver(challenge, eventId, serverTime);
    } else if (gap && !isFirst) {
      logger.warn({ position }, 'the challenge stream has a gap, reading the challenges of its clients again');
      for (const subscriptions of byUser.values()) for (const subscription of subscriptions) resyncs.add(subscription);
    }
  };

  /** Reads one stream until it ends or falls silent. @returns whether it delivered anything */
  const follow = async (): Promise<boolean> => {
    const attempt = new AbortController();
    let heardAt = performance.now();
    let heard = false;
    const watchdog = setInterval(() => {
      if (performance.now() - heardAt > silenceMs) attempt.abort();
    }, silenceMs / 4);
    const stop = (): void => attempt.abort();
    closing.signal.addEventListener('abort', stop);
    try {
      for await (const message of client.watchAllChallenges({ lastEventId: position ?? '' }, { signal: attempt.signal })) {
        heardAt = performance.now();
        heard = true;
        take(message);
      }
    } catch (err) {
      if (isTokenExpiry(err)) logger.info('the token of the challenge stream expired, resuming');
      else if (!closing.signal.aborted) logger.warn({ err }, 'the challenge stream broke, resuming');
    } finally {
      clearInterval(watchdog);
      closing.signal.removeEventListener('abort', stop);
    }
    return heard;
  };

  const run = async (): Promise<void> => {
    for (let waitMs = RETRY_MIN_MS; !closing.signal.aborted; waitMs = Math.min(2 * waitMs, RETRY_MAX_MS)) {
      if (await follow()) waitMs = RETRY_MIN_MS;
      // Jitter, so that the gateways of a platform do not return at the same moment.
      if (!closing.signal.aborted) await pause(waitMs * (0.5 + Math.random()));
    }
  };
  const running = run();

  return {
    serials: createSerials(now().getTime()),
    subscribe: async (userId, readAgain) => {
      if (position === undefined) {
        await within(FIRST_CONNECTION_MS, connected.promise).catch(() => {
          throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the challenge stream is not open yet' });
        });
      }
      const subscription = createSubscription();
      const subscriptions = byUser.get(userId) ?? new Set();
      byUser.set(userId, subscriptions.add(subscription));
      resyncs.register(subscription, readAgain);
      return {
        position: position ?? '0-0',
        begin: subscription.begin,
        next: subscription.next,
        wake: subscription.wake,
        close: () => {
          resyncs.forget(subscription);
          subscriptions.delete(subscription);
          if (subscriptions.size === 0 && byUser.get(userId) === subscriptions) byUser.delete(userId);
        },
      };
    },
    close: async () => {
      closing.abort();
      resyncs.close();
      await running;
    },
  };
};
