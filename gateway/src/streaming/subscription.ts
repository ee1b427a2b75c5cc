import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus, type Challenge as WireChallenge } from '@florin/proto/threeds/v1/challenge';
import type { Position } from './event-ids.ts';

type Stamped = { position: Position; own: boolean; incomplete: boolean; serverTime: Timestamp | undefined };

/** The next message of a client: a state of a challenge, or the mark that it is current. */
export type Item = Stamped & ({ kind: 'challenge'; challenge: WireChallenge } | { kind: 'ready'; snapshot: boolean });

/** The state for a client that opened a stream, or whose stream has a gap. */
export type Beginning = {
  challenges: readonly WireChallenge[];
  serverTime: Timestamp | undefined;
  snapshot: boolean;
  /** Position of its challenges: with a snapshot incomplete until the last one. */
  position: Position;
  /** Position up to which the client is current after it. */
  readyAt: Position;
};

/** Items waiting for a client that reads slowly. A newer state replaces an older one of the same challenge. */
export const MAX_WAITING = 64;

/** Challenges whose last state is remembered per client. */
const MAX_REMEMBERED = 200;

/** Progress of a challenge. It never decreases, so it orders states that arrive on different paths. */
const progressOf = ({ status }: WireChallenge): number => {
  if (status === ChallengeStatus.PENDING) return 0;
  return status === ChallengeStatus.PROCESSING ? 1 : 2;
};

/**
 * Buffer between the feed and one client. It never passes on a state twice or an older one after a newer one, regardless of their source
 * (the feed and its repeats, the first read, a read after a gap).
 */
export const createSubscription = () => {
  const reached = new Map<string, number>();
  let first: Item[] = [];
  let waiting = new Map<string, Item>();
  let begun = false;
  /** From a gap until the challenges were read again. */
  let gap = false;
  let overflown = false;
  let wake: () => void = () => undefined;

  const isNewer = (challenge: WireChallenge): boolean => {
    const progress = progressOf(challenge);
    if ((reached.get(challenge.id) ?? -1) >= progress) return false;
    reached.delete(challenge.id);
    reached.set(challenge.id, progress);
    const oldest = reached.size > MAX_REMEMBERED ? reached.keys().next().value : undefined;
    if (oldest !== undefined) reached.delete(oldest);
    return true;
  };

  const add = (key: string, item: Item): void => {
    if (overflown) return;
    // Moves to the end of the queue, so that positions only grow.
    waiting.delete(key);
    waiting.set(key, item);
    if (waiting.size > MAX_WAITING) {
      overflown = true;
      waiting.clear();
      reached.clear();
    }
    wake();
  };

  const deliver = (challenge: WireChallenge, position: Position, serverTime: Timestamp | undefined): void => {
    if (isNewer(challenge)) add(challenge.id, { kind: 'challenge', challenge, position, own: true, incomplete: gap, serverTime });
  };

  return {
    deliver,
    /** Starts with what was read first. Items that were delivered in the meantime and are not newer are dropped. */
    begin: ({ challenges, serverTime, snapshot, position, readyAt }: Beginning): void => {
      const meanwhile = waiting;
      waiting = new Map();
      reached.clear();
      begun = true;
      for (const challenge of challenges) isNewer(challenge);
      first = [
        ...challenges.map((challenge): Item => ({ kind: 'challenge', challenge, position, own: false, incomplete: snapshot, serverTime })),
        { kind: 'ready', snapshot, position: readyAt, own: false, incomplete: false, serverTime },
      ];
      for (const item of meanwhile.values()) if (item.kind === 'challenge') deliver(item.challenge, item.position, item.serverTime);
      wake();
    },
    /** Marks that changes may have been missed: a client that resumes before `closeGap` reads everything again. */
    openGap: (): void => {
      gap = true;
    },
    /** Closes a gap with challenges that were read after it. */
    closeGap: (challenges: readonly WireChallenge[], position: Position, serverTime: Timestamp | undefined): void => {
      for (const challenge of challenges) deliver(challenge, position, serverTime);
      gap = false;
      if (begun) add('ready', { kind: 'ready', snapshot: false, position, own: false, incomplete: false, serverTime });
    },
    /** Ids of the challenges that the client knows as open. */
    open: (): string[] => [...reached].flatMap(([id, progress]) => (progress < 2 ? [id] : [])),
    /** The next item; `too-slow` if more items waited than are kept; undefined once the signal is aborted. */
    next: async (signal: AbortSignal): Promise<Item | 'too-slow' | undefined> => {
      for (;;) {
        if (signal.aborted) return undefined;
        const [early] = first;
        if (early !== undefined) {
          first.shift();
          return early;
        }
        if (overflown) return 'too-slow';
        const [entry] = waiting;
        if (entry !== undefined) {
          waiting.delete(entry[0]);
          return entry[1];
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    /** Makes `next` look at its signal. */
    wake: (): void => wake(),
  };
};

export type Subscription = ReturnType<typeof createSubscription>;
