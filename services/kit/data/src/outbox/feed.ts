import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppendOutcome, type AppendResult, FeedService } from '@florin/proto/events/v1/feed_service';
import type { RpcChannel } from '@florin/rpc/client';
import type { OutboxEvent } from './event.ts';

/** An event with its aggregate and its number among the aggregate's events, from 1. */
export type NumberedEvent = { aggregateId: string; number: number; event: OutboxEvent };

/** True if the feed has an event; `renumberFrom` when another event of the aggregate has its number, and the number from which to go on. */
export type FeedOutcome = { isKept: true } | { isKept: false; renumberFrom: number };

/**
 * Appends events to the feed, and returns one outcome per event in their order. An event that is kept may leave its outbox.
 * Rejects when the events may not have arrived, and must accept the same events again.
 */
export type AppendToFeed = (events: readonly NumberedEvent[]) => Promise<FeedOutcome[]>;

const TIMEOUT_MS = 10_000;

/** Events of a call, which is at most 1 MiB: the data of each is at most 4 KiB. */
const MAX_EVENTS = 200;

const toOutcome = ({ outcome, nextSubjectSequence }: AppendResult): FeedOutcome =>
  outcome === AppendOutcome.NUMBER_TAKEN ? { isKept: false, renumberFrom: Number(nextSubjectSequence) } : { isKept: true };

/** Creates the way to the events service. */
export const createFeedClient = (channel: RpcChannel): AppendToFeed => {
  const client = channel.client(FeedService);
  return async (events) => {
    const outcomes: FeedOutcome[] = [];
    for (let from = 0; from < events.length; from += MAX_EVENTS) {
      const part = events.slice(from, from + MAX_EVENTS).map(({ aggregateId, number, event }) => ({
        id: event.id,
        type: event.type,
        timestamp: timestampFromDate(event.at),
        subjectId: aggregateId,
        subjectSequence: BigInt(number),
        dataJson: JSON.stringify(event.payload),
      }));
      const { results } = await client.appendEvents({ events: part }, { timeoutMs: TIMEOUT_MS });
      if (results.length !== part.length) throw new Error('the feed did not answer for every event');
      outcomes.push(...results.map(toOutcome));
    }
    return outcomes;
  };
};
