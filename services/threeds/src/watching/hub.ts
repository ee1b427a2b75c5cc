import type { StreamEvent, StreamTail } from '@florin/data/outbox';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { Challenge } from '../domain/challenge.ts';
import { statusAt } from '../domain/challenge-state.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import { createAlarms } from './alarms.ts';
import { createPoller } from './poller.ts';
import { createRecentEvents, type RecentEvent } from './recent-events.ts';
import { createRegistry } from './registry.ts';
import { createWatcher, type Watcher } from './watcher.ts';

type Watch = Pick<Watcher, 'start' | 'next'> & {
  /** Position of the event stream when the watch began: every later change is delivered. */
  position: string;
  close: () => void;
};

export type ChallengeHub = {
  /** @throws CodedError SERVICE_UNAVAILABLE when this process has reached its limit of watchers */
  watchChallenge: (challengeId: string, signal: AbortSignal) => Watch;
  /** @throws CodedError SERVICE_UNAVAILABLE as above, STREAM_LIMIT_REACHED when the user has reached theirs */
  watchUser: (userId: string, signal: AbortSignal) => Watch;
  /** Events of the user's challenges after a position; undefined if they are no longer known. */
  since: (position: string, userId: string) => RecentEvent[] | undefined;
  close: () => Promise<void>;
};

type HubOptions = {
  challenges: Pick<ChallengeStore, 'findMany' | 'findRecent' | 'expire'>;
  tail: StreamTail;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

const toRecent = ({ position, aggregateId, event }: StreamEvent): RecentEvent[] => {
  const userId = event.payload['userId'];
  return typeof userId === 'string' ? [{ position, challengeId: aggregateId, userId }] : [];
};

/**
 * Delivers changes to all watchers in this process. An event signals that a challenge changed; the challenge is then read from the
 * store, once for all its watchers, and delivered as read. Batches of events are processed one at a time, so that a reader of an
 * update has seen every change up to its position.
 */
export const createChallengeHub = ({ challenges, tail, runtime, logger }: HubOptions): ChallengeHub => {
  const registry = createRegistry();
  const recent = createRecentEvents();
  let position = tail.position;
  recent.add(tail.recent.flatMap(toRecent));

  const deliver = (challenge: Challenge): void => {
    const watchers = registry.of(challenge);
    if (watchers.length === 0) return;
    if (statusAt(challenge, runtime.now()) !== challenge.status) {
      void expire(challenge);
      return;
    }
    alarms.follow(challenge);
    for (const watcher of watchers) watcher.deliver({ challenge, position });
  };

  /** Stores an expiry before it is delivered. A failure is harmless: the sweeper stores it too. */
  const expire = async (challenge: Challenge): Promise<void> => {
    try {
      const expired = await challenges.expire(challenge, runtime.now());
      if (expired !== undefined) deliver(expired);
    } catch (err) {
      logger.warn({ err, challengeId: challenge.id }, 'storing the expiry failed');
    }
  };

  // Expires each watched challenge on time.
  const alarms = createAlarms(runtime, (challenge) => (registry.of(challenge).length === 0 ? undefined : deliver(challenge)));

  const onEvents = async (events: readonly StreamEvent[]): Promise<void> => {
    const happened = events.flatMap(toRecent);
    const watched = happened.filter(({ challengeId: id, userId }) => registry.of({ id, userId }).length > 0);
    const found = watched.length === 0 ? [] : await challenges.findMany([...new Set(watched.map(({ challengeId }) => challengeId))]);
    // No await from here on: a new watcher sees either all of this batch as past or none of it.
    recent.add(happened);
    const states = new Map(found.map((challenge) => [challenge.id, challenge]));
    for (const event of watched) {
      position = event.position;
      const challenge = states.get(event.challengeId);
      if (challenge !== undefined) deliver(challenge);
    }
    position = events.at(-1)?.position ?? position;
  };

  const poller = createPoller({ challenges, registry, runtime, logger, deliver });
  tail.run({
    onEvents,
    onAway: () => {
      recent.breakOff();
      poller.start();
    },
    onBack: poller.finish,
  });

  const watch = (register: (watcher: Watcher) => () => void, signal: AbortSignal): Watch => {
    const watcher = createWatcher(signal);
    const close = register(watcher);
    const start: Watch['start'] = (first) => {
      for (const { challenge } of first) alarms.follow(challenge);
      watcher.start(first);
    };
    return { position, start, next: watcher.next, close };
  };

  return {
    watchChallenge: (challengeId, signal) => watch((watcher) => registry.addForChallenge(challengeId, watcher), signal),
    watchUser: (userId, signal) => watch((watcher) => registry.addForUser(userId, watcher), signal),
    since: (last, userId) => recent.since(last, userId),
    close: async () => {
      alarms.clear();
      await Promise.all([tail.close(), poller.close()]);
      registry.failAll(new CodedError('SERVICE_UNAVAILABLE', { message: 'the service is shutting down' }));
    },
  };
};
