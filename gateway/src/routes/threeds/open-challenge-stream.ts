import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CallOptions } from '@connectrpc/connect';
import { ChallengeStatus, type Challenge as WireChallenge } from '@florin/proto/threeds/v1/challenge';
import type { Upstream } from '../../clients/upstream.ts';
import type { StreamEnd } from '../../http/define-route.ts';
import type { ReadAgain } from '../../streaming/challenge-feed.ts';
import { comparePositions, createEventIds, later, parseEventId } from '../../streaming/event-ids.ts';
import type { Item } from '../../streaming/subscription.ts';

/** Reports whether a challenge that waited for its client as pending has expired since. */
const hasExpired = ({ status, expiresAt }: WireChallenge, now: Date): boolean =>
  status === ChallengeStatus.PENDING && expiresAt !== undefined && timestampDate(expiresAt) <= now;

/** An event of a user's stream: an item, or that the given Last-Event-ID is unknown, or the end of the stream. */
export type StreamItem = { id: string } & (
  | Pick<Extract<Item, { kind: 'challenge' }>, 'kind' | 'challenge' | 'serverTime'>
  | Pick<Extract<Item, { kind: 'ready' }>, 'kind' | 'snapshot' | 'serverTime'>
  | { kind: 'reset' }
  | { kind: 'end'; code: StreamEnd }
);

type Opening = { userId: string; lastEventId: string; asCaller: CallOptions; signal: AbortSignal; now: () => Date };

const readAgainAs =
  (challenges: Upstream['challenges'], asCaller: CallOptions): ReadAgain =>
  async (openIds) => {
    const { challenges: pending, serverTime } = await challenges.listChallengeChanges({}, asCaller);
    const known = new Set(pending.map(({ id }) => id));
    const rest = await Promise.all(
      openIds.filter((id) => !known.has(id)).map((challengeId) => challenges.getChallenge({ challengeId }, asCaller)),
    );
    return { challenges: [...pending, ...rest.flatMap(({ challenge }) => challenge ?? [])], serverTime };
  };

/**
 * Opens the stream of a user's challenges: the pending ones, or with a known `lastEventId` those that changed after it, then `ready`,
 * then each change. A client that resumes with the id of the last event that it read sees every change at least once.
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT and the codes of a rejected token, before the first item
 */
export const openStream = async function* (
  { challenges, challengeFeed }: Pick<Upstream, 'challenges' | 'challengeFeed'>,
  { userId, lastEventId, asCaller, signal, now }: Opening,
): AsyncGenerator<StreamItem> {
  const subscription = await challengeFeed.subscribe(userId, readAgainAs(challenges, asCaller));
  signal.addEventListener('abort', subscription.wake);
  try {
    const given = parseEventId(lastEventId);
    const resumeAt = given === undefined || given.incomplete ? '' : given.position;
    // After the registration, so that no change is missed in between.
    const read = await challenges.listChallengeChanges({ lastEventId: resumeAt, atLeast: subscription.position }, asCaller);
    const readyAt = later(read.eventId, subscription.position);
    const isReset = lastEventId !== '' && read.snapshot && given?.incomplete !== true;
    // Ids continue after those that the client has seen, unless its position is in the future: then they would not increase for long.
    const isKnown = given !== undefined && comparePositions(given.position, readyAt) <= 0;
    const nextId = createEventIds(challengeFeed.serials, isKnown ? given : undefined);
    // Before the snapshot is complete, a client that resumes gets it again; changes after a position are read again after it.
    const position = read.snapshot ? readyAt : resumeAt;
    if (isReset) yield { kind: 'reset', id: nextId({ position: readyAt, own: false, incomplete: true }) };
    subscription.begin({ challenges: read.challenges, serverTime: read.serverTime, snapshot: read.snapshot, position, readyAt });
    let incomplete = read.snapshot;
    for (;;) {
      const item = await subscription.next(signal);
      if (item === undefined || item === 'too-slow') {
        const code = item === 'too-slow' ? 'TOO_SLOW' : (signal.reason as StreamEnd);
        // The position of the last event, because nothing after it was sent.
        yield { kind: 'end', code, id: nextId({ position: '0-0', own: false, incomplete }) };
        return;
      }
      ({ incomplete } = item);
      const { serverTime } = item;
      if (item.kind === 'ready') yield { kind: item.kind, id: nextId(item), snapshot: item.snapshot, serverTime };
      // An expired one is followed by its expiry.
      else if (!hasExpired(item.challenge, now())) yield { kind: item.kind, id: nextId(item), challenge: item.challenge, serverTime };
    }
  } finally {
    signal.removeEventListener('abort', subscription.wake);
    subscription.close();
  }
};
