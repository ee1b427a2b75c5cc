import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type EventTypeName, eventTypeOf, isEventType } from '@florin/proto/events/v1/event-types';
import { type AppendEventsRequest, AppendOutcome } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { listedData } from '../domain/feed-event.ts';
import type { Appended } from '../feed/append.ts';
import { appendToFeeds } from '../feed/append-to-feeds.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_DATA = 4096;

const dataSchema = z
  .string()
  .max(MAX_DATA)
  .transform((text, context): Record<string, unknown> => {
    try {
      const data: unknown = JSON.parse(text);
      if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
    } catch {
      // Reported below.
    }
    context.addIssue({ code: 'custom', message: 'must be a JSON object' });
    return z.NEVER;
  });

const requestSchema = z.object({
  events: z
    .array(
      z.object({
        id: uuidSchema,
        type: z.string().min(1).max(64),
        timestamp: z.custom<Parameters<typeof timestampDate>[0]>((value) => value !== undefined, 'is required').transform(timestampDate),
        subjectId: z.string().min(1).max(200),
        subjectSequence: z.bigint().min(1n).max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number),
        dataJson: dataSchema,
      }),
    )
    .min(1)
    .max(500),
});

const typeOf = (text: string, index: number, caller: string): EventTypeName => {
  if (!isEventType(text))
    throw new CodedError('EVENT_TYPE_UNKNOWN', { message: `events[${index}].type: is not in the catalogue of events` });
  if (eventTypeOf(text).source === caller) return text;
  throw new CodedError('FORBIDDEN', { message: `events[${index}].type: belongs to another service` });
};

const toWire = (appended: Appended) =>
  appended.outcome === 'taken'
    ? { outcome: AppendOutcome.NUMBER_TAKEN, nextSubjectSequence: BigInt(appended.nextSubjectSequence) }
    : {
        outcome: appended.outcome === 'appended' ? AppendOutcome.APPENDED : AppendOutcome.EXISTS,
        sequence: BigInt(appended.sequence),
      };

/** @throws CodedError EVENT_TYPE_UNKNOWN, FORBIDDEN, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, VALIDATION_FAILED */
export const appendEvents = (dependencies: Dependencies) =>
  serviceMethod(EVENTS_SCOPES.append, async (request: AppendEventsRequest, { caller }) => {
    const { events } = parseRequest(requestSchema, request);
    const unplaced = events.map(({ id, type: name, timestamp: at, subjectId, subjectSequence, dataJson: data }, index) => {
      const type = typeOf(name, index, caller.name);
      const subject = `${eventTypeOf(type).subject}/${subjectId}`;
      return { event: { id, type, at, subject, subjectSequence, data: listedData(type, data) }, concern: { type, subjectId, data } };
    });
    return { results: (await appendToFeeds(dependencies, unplaced)).map(toWire) };
  });
