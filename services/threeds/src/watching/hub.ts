import { comparePositions, type StreamEvent, type StreamTail } from '@florin/data/outbox';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { LRUCache } from 'lru-cache';
import type { Challenge } from '../domain/challenge.ts';
import { CHALLENGE_STATUSES, progressOf, statusAt } from '../domain/challenge-state.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import { createAlarms } from './alarms.ts';
import { createPoller } from './poller.ts';
import { createReader, type Reader } from './reader.ts';
import { createRecentEvents, type RecentEvent } from './recent-events.ts';
import { createRegistry } from './registry.ts';
import { createWaiters } from './waiters.ts';
import { createWatcher, type Watcher } from './watcher.ts';

/** Challenges whose last delivered state is remembered. Those of them that are open are polled while Redis is unavailable. */
const MAX_DELIVERED = 20_000;

type Watch = Pick<Watcher, 'next' | 'deliver'> & { close: () => void };

type Reading = Pick<Reader, 'next'> & {
  /** Position of the event stream when the reading began: every later change is delivered. */
  position: string;
  close: () => void;
};

export type ChallengeHub = {
  /** @throws CodedError SERVICE_UNAVAILABLE when this process has reached its limit of watchers */
  watchChallenge: (challengeId: string, signal: AbortSignal) => Watch;
  /** Reads the changes of all challenges. @throws CodedError SERVICE_UNAVAILABLE as above */
  readAll: (signal: AbortSignal) => Reading;
  /** Latest event of each challenge after a position, of one user or of all; undefined if they are no longer known. */
  since: (position: string, userId?: string) => RecentEvent[] | undefined;
  /** Position up to which changes were delivered. */
  position: () => string;
  /** Waits until the events up to a position were delivered. @returns false after the timeout */
  reached: (position: string, timeoutMs: number) => Promise<boolean>;
  close: () => Promise<void>;
};

type HubOptions = {
  challenges: Pick<ChallengeStore, 'findMany' | 'findSince' | 'remembered' | 'expire'>;
  tail: StreamTail;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  logger: Logger;
};

const toRecent = ({ position, aggregateId, event }: StreamEvent): RecentEvent[] => {
  const userId = event.payload['userId'];
  return typeof userId === 'string' ? [{ position, challengeId: aggregateId, userId }] : [];
};

/**
 * Delivers changes to all watchers and readers in this process. An event signals that a challenge changed; the challenge is then read
 * from the store, once for all, and delivered as read. Batches of events are processed one at a time, so that a reader of an update has
 * seen every change up to its position.
 */
export const createChallengeHub = ({ challenges, tail, runtime, logger }: HubOptions): ChallengeHub => {
  const registry = createRegistry();
  const recent = createRecentEvents();
  let position = tail.position;
  recent.add(tail.recent.flatMap(toRecent));
  const waiters = createWaiters((wanted) => comparePositions(wanted, position) <= 0);

  /** Stores an expiry on time; its event delivers it. A failure is harmless: the sweeper stores it too. */
  const expire = async (challenge: Challenge): Promise<void> => {
    try {
      if (registry.isFollowed(challenge.id)) await challenges.expire(challenge, runtime.now());
    } catch (err) {
      logger.warn({ err, challengeId: challenge.id }, 'storing the expiry failed');
    }
  };
  const alarms = createAlarms(runtime, (challenge) => void expire(challenge));

  /** Progress of the challenges that were delivered most recently. */
  const delivered = new LRUCache<string, number>({ max: MAX_DELIVERED });

  const deliver = (challenge: Challenge): void => {
    alarms.follow(challenge);
    // An expiry that is not stored yet follows as an event of its own.
    if (statusAt(challenge, runtime.now()) !== challenge.status) return;
    delivered.set(challenge.id, progressOf(challenge.status));
    for (const watcher of registry.watchersOf(challenge)) watcher.deliver(challenge);
    for (const reader of registry.readers()) reader.push({ challenge, position });
  };

  /**
   * The challenges of a batch of events, as they are now or at least after their events. Those that this process has changed itself are
   * remembered; the others are read.
   */
  const statesOf = async (events: readonly StreamEvent[], ids: ReadonlySet<string>): Promise<Map<string, Challenge>> => {
    const reached = new Map<string, number>();
    for (const { aggregateId, event } of events) {
      const status = CHALLENGE_STATUSES.find((one) => one === event.payload['status']);
      // An event of another form is never covered by what is remembered.
      const progress = status === undefined ? Number.POSITIVE_INFINITY : progressOf(status);
      reached.set(aggregateId, Math.max(progress, reached.get(aggregateId) ?? 0));
    }
    const states = new Map<string, Challenge>();
    for (const id of ids) {
      const known = challenges.remembered(id);
      if (known !== undefined && progressOf(known.status) >= (reached.get(id) ?? 0)) states.set(id, known);
    }
    const missing = [...ids].filter((id) => !states.has(id));
    const found = missing.length === 0 ? [] : await challenges.findMany(missing);
    for (const challenge of found) states.set(challenge.id, challenge);
    return states;
  };

  const onEvents = async (events: readonly StreamEvent[]): Promise<void> => {
    const happened = events.flatMap(toRecent);
    const followed = happened.filter(({ challengeId }) => registry.isFollowed(challengeId));
    const states = await statesOf(events, new Set(followed.map(({ challengeId }) => challengeId)));
    // No await from here on: a new watcher sees either all of this batch as past or none of it.
    recent.add(happened);
    // The state of a challenge is the same for all its events of the batch, so the last one delivers it.
    const last = new Map(followed.map((event) => [event.challengeId, event]));
    for (const event of followed) {
      position = event.position;
      const challenge = last.get(event.challengeId) === event ? states.get(event.challengeId) : undefined;
      if (challenge !== undefined) deliver(challenge);
    }
    position = events.at(-1)?.position ?? position;
    waiters.check();
  };

  const onRestored = (): void => {
    for (const reader of registry.readers()) reader.push({ position, gap: true });
  };
  const poller = createPoller({
    challenges,
    open: () => {
      const open = [...delivered.entries()].flatMap(([id, progress]) => (progress < 2 ? [id] : []));
      return [...new Set([...open, ...registry.watchedChallenges()])];
    },
    runtime,
    logger,
    deliver: (challenge) => {
      if (progressOf(challenge.status) > (delivered.get(challenge.id) ?? -1)) deliver(challenge);
    },
    onRestored,
  });
  tail.run({
    onEvents,
    onAway: () => {
      recent.breakOff();
      poller.start();
    },
    onBack: poller.finish,
  });

  return {
    watchChallenge: (challengeId, signal) => {
      const watcher = createWatcher(signal);
      const close = registry.addWatcher(challengeId, watcher);
      const start: Watch['deliver'] = (challenge) => {
        alarms.follow(challenge);
        watcher.deliver(challenge);
      };
      return { deliver: start, next: watcher.next, close };
    },
    readAll: (signal) => {
      const reader = createReader(signal);
      return { position, next: reader.next, close: registry.addReader(reader) };
    },
    since: recent.since,
    position: () => position,
    reached: waiters.wait,
    close: async () => {
      alarms.clear();
      await Promise.all([tail.close(), poller.close()]);
      registry.failAll(new CodedError('SERVICE_UNAVAILABLE', { message: 'the service is shutting down' }));
    },
  };
};
