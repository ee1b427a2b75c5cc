import type { Runtime } from '@florin/rpc/runtime';
import { statusAt } from '../domain/challenge-state.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import type { ChallengeHub } from './hub.ts';
import type { ReaderUpdate } from './reader.ts';

type Parts = { challenges: Pick<ChallengeStore, 'inOrder'>; hub: ChallengeHub; runtime: Pick<Runtime, 'now'> };

/** Interval of updates without a challenge, by which a reader notices a broken connection. */
const IDLE_MS = 5000;

/** Challenges per query. */
const CHUNK = 200;

/**
 * Reads the changes of all challenges after a position: first those that this process knows, each challenge once in its current
 * state, then an update without a challenge, then every change as it happens. Without a known position the first update is a gap.
 */
export const readChanges = async function* (
  { challenges, hub, runtime }: Parts,
  lastEventId: string,
  signal: AbortSignal,
): AsyncGenerator<ReaderUpdate> {
  // Registered before the first read, so that no change is missed in between.
  const reading = hub.readAll(signal);
  try {
    const changed = hub.since(lastEventId);
    for (let at = 0; at < (changed?.length ?? 0); at += CHUNK) {
      const chunk = changed?.slice(at, at + CHUNK) ?? [];
      const found = await challenges.inOrder(
        chunk.map(({ challengeId }) => challengeId),
        runtime.now(),
      );
      const positions = new Map(chunk.map(({ challengeId, position }) => [challengeId, position]));
      for (const challenge of found) yield { challenge, position: positions.get(challenge.id) ?? reading.position };
    }
    yield { position: reading.position, ...(changed === undefined ? { gap: true } : {}) };
    for (;;) {
      const update = await reading.next(IDLE_MS);
      if (update === undefined) return;
      if (update === 'idle') yield { position: hub.position() };
      // A challenge that expired while its update waited for the reader is followed by its expiry.
      else if (update.challenge === undefined || statusAt(update.challenge, runtime.now()) === update.challenge.status) yield update;
    }
  } finally {
    reading.close();
  }
};
