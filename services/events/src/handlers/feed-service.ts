import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EVENT_TYPES, type EventTypeName, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import {
  type AppendEventsRequest,
  AppendOutcome,
  FeedService,
  type ListEventsRequest,
  type ListEventTypesRequest,
  type ListUserEventsRequest,
  type WatchEventsRequest,
} from '@florin/proto/events/v1/feed_service';
import { stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, serviceStream, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { cursorOf, parseCursor } from '../domain/cursor.ts';
import { listedData } from '../domain/event-data.ts';
import { keyOf } from '../domain/feed-event.ts';
import { parseTypes } from '../domain/type-filter.ts';
import type { Appended } from '../feed/append.ts';
import { appendToFeeds } from '../feed/append-to-feeds.ts';
import { watchFeed } from '../reading/watch-feed.ts';
import type { Dependencies } from './dependencies.ts';
import { feedOf, readerOf, toLimit } from './fields.ts';
import { toWireCheckpoint, toWireEvents } from './to-wire.ts';

const isObject = (data: unknown): data is Record<string, unknown> => typeof data === 'object' && data !== null && !Array.isArray(data);

/** @throws CodedError VALIDATION_FAILED unless the text is a JSON object */
const dataOf = (text: string, index: number): Record<string, unknown> => {
  try {
    const data: unknown = JSON.parse(text);
    if (isObject(data)) return data;
  } catch {
    // Reported below.
  }
  throw new CodedError('VALIDATION_FAILED', { message: `events[${index}].data_json: must be a JSON object` });
};

const typeOf = (text: string, index: number, caller: string): EventTypeName => {
  if (!isEventType(text))
    throw new CodedError('EVENT_TYPE_UNKNOWN', { message: `events[${index}].type: is not in the catalogue of events` });
  if (eventTypeOf(text).source === caller) return text;
  throw new CodedError('FORBIDDEN', { message: `events[${index}].type: belongs to another service` });
};

/** Up to release 0.2 the requests of withdrawals had the subjects that withdrawals have. */
const formerKeyOf = (type: EventTypeName, subjectId: string, subjectSequence: number): string | undefined =>
  type === 'recipient.requested' ? keyOf({ subject: `withdrawal/${subjectId}`, subjectSequence }) : undefined;

const toWire = (appended: Appended) =>
  appended.outcome === 'taken'
    ? { outcome: AppendOutcome.NUMBER_TAKEN, nextSubjectSequence: BigInt(appended.nextSubjectSequence) }
    : {
        outcome: appended.outcome === 'appended' ? AppendOutcome.APPENDED : AppendOutcome.EXISTS,
        sequence: BigInt(appended.sequence),
      };

const appendEvents = (dependencies: Dependencies) =>
  serviceMethod(async (request: AppendEventsRequest, { caller }) => {
    const unplaced = request.events.map(({ id, type: name, timestamp, subjectId, dataJson, ...event }, index) => {
      const [at, subjectSequence] = [timestampDate(stated(timestamp)), Number(event.subjectSequence)];
      const data = dataOf(dataJson, index);
      const type = typeOf(name, index, caller.name);
      const subject = `${eventTypeOf(type).subject}/${subjectId}`;
      const formerKey = formerKeyOf(type, subjectId, subjectSequence);
      const listed = { id, type, at, subject, subjectSequence, data: listedData(type, data) };
      return { event: formerKey === undefined ? listed : { ...listed, formerKey }, concern: { type, subjectId, data } };
    });
    return { results: (await appendToFeeds(dependencies, unplaced)).map(toWire) };
  });

const listEvents = ({ read }: Dependencies) =>
  serviceMethod(async (request: ListEventsRequest, { caller }) => {
    const reader = readerOf(caller, request);
    const { events, next, hasMore, checkpoint } = await read({ ...reader, limit: toLimit(request.limit) });
    return {
      events: toWireEvents(events, request.dataVersion),
      cursor: cursorOf(reader.feed, next),
      hasMore,
      checkpoint: toWireCheckpoint(checkpoint),
    };
  });

const HEARTBEAT_MS = 8000;

/** Streams per client, and of all clients together, at one instance. */
const LIMITS = { perClient: 32, total: 1024 };

const watchEvents = ({ read, wake }: Dependencies) =>
  serviceStream(async function* (request: WatchEventsRequest, { caller, signal }) {
    const reader = readerOf(caller, request);
    for await (const { events, next, hasMore, checkpoint } of watchFeed({ ...reader, read, wake, signal, heartbeatMs: HEARTBEAT_MS })) {
      yield {
        events: toWireEvents(events, request.dataVersion),
        cursor: cursorOf(reader.feed, next),
        ...(hasMore ? {} : { checkpoint: toWireCheckpoint(checkpoint) }),
      };
    }
  }, LIMITS);

const listUserEvents = ({ readOfUser }: Dependencies) =>
  userOrServiceMethod(async (request: ListUserEventsRequest, { caller }) => {
    const { partnerId, after, types, limit } = request;
    const userId = userOfCall(request, caller);
    const feed = caller.kind === 'service' ? feedOf(caller, partnerId) : caller.partnerId;
    const options = { feed, userId, after: parseCursor(feed, after), filter: parseTypes(types), limit: toLimit(limit) };
    const { events, next, hasMore, checkpoint } = await readOfUser(options);
    return {
      events: toWireEvents(events, request.dataVersion),
      cursor: cursorOf(feed, next),
      hasMore,
      checkpoint: toWireCheckpoint(checkpoint),
    };
  });

const CATALOGUE = Object.keys(EVENT_TYPES)
  .filter(isEventType)
  .map((name) => {
    const { subject, description, fields } = eventTypeOf(name);
    return { name, subjectKind: subject, description, fields: Object.keys(fields) };
  });

const listEventTypes = () => serviceMethod((_request: ListEventTypesRequest) => ({ types: CATALOGUE }));

/** Implementation of the contract `FeedService`. */
export const feedService = (dependencies: Dependencies): ServiceImplementation =>
  implement(FeedService, {
    appendEvents: appendEvents(dependencies),
    listEvents: listEvents(dependencies),
    watchEvents: watchEvents(dependencies),
    listUserEvents: listUserEvents(dependencies),
    listEventTypes: listEventTypes(),
  });
