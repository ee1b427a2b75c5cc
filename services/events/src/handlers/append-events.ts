import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type EventTypeName, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import { type AppendEventsRequest, AppendOutcome } from '@florin/proto/events/v1/feed_service';
import { stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { listedData } from '../domain/event-data.ts';
import { keyOf } from '../domain/feed-event.ts';
import type { Appended } from '../feed/append.ts';
import { appendToFeeds } from '../feed/append-to-feeds.ts';
import type { Dependencies } from './dependencies.ts';

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

export const appendEvents = (dependencies: Dependencies) =>
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
