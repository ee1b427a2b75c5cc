import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Checkpoint as WireCheckpoint, Event as WireEvent } from '@florin/proto/events/v1/event';
import { EVENT_TYPES, type EventTypeName, eventTypeOf } from '@florin/proto/events/v1/event-types';
import { CodedError } from '@florin/rpc/errors';
import { nearest } from '@florin/rpc/validation';
import { z } from 'zod';
import { dateTime, id } from './fields.ts';

/** The types that a partner's feed has. */
const NAMES = (Object.keys(EVENT_TYPES) as EventTypeName[]).filter((name) => eventTypeOf(name).internal !== true);
const GROUPS = [...new Set(NAMES.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))];
const FILTERS: ReadonlySet<string> = new Set([...NAMES, ...GROUPS]);

/** Finding the nearest name takes time, and a response names ten problems at most. */
const MAX_PROBLEMS = 10;

/**
 * Requires that feeds of partners have the types and groups: a misspelt one would be waited for in vain.
 * @throws CodedError VALIDATION_FAILED with the nearest known name
 */
export const requireKnownTypes = (types: readonly string[]): void => {
  const unknown = [...types.entries()].filter(([, type]) => !FILTERS.has(type)).slice(0, MAX_PROBLEMS);
  if (unknown.length === 0) return;
  const problems = unknown.map(([index, type]) => {
    const meant = nearest(type, [...FILTERS]);
    return `types.${index}: is not in the catalogue of events${meant === undefined ? '' : `, did you mean ${meant}?`}`;
  });
  throw new CodedError('VALIDATION_FAILED', { message: problems.join('; ') });
};

/** Exact as a number up to 2^53. */
const sequence = z.int().min(0);

const CURSOR = 'Cursor of an earlier response. It suits every filter, the list and the stream.';

/** Version of the data of events. */
const dataVersion = z.enum(['1', '2']).meta({
  description:
    'Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0.',
});

/** Which events a reader asks for. */
export const eventQuery = z.object({
  after: z
    .string()
    .max(64)
    .regex(/^[\x21-\x7e]*$/, 'must be a cursor of this feed')
    .optional()
    .meta({ description: `${CURSOR} Without it, reading begins with the oldest event that is kept.` }),
  types: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[a-z_.*]{1,64}(?:,[a-z_.*]{1,64}){0,99}$/, 'must be at most 100 types of events, separated by commas')
    .optional()
    .meta({
      description: 'Only events of these types, or of groups such as `card.*`, separated by commas',
      examples: ['card.*,payment.cleared'],
    }),
  version: dataVersion.optional(),
});

export const event = z
  .object({
    id: id.meta({ description: 'UUID; a repeat of the event has the same one' }),
    type: z.string().meta({ description: 'Type of the catalogue. New types may be added.', examples: NAMES }),
    timestamp: dateTime,
    subject: z
      .string()
      .meta({ description: 'Kind and id of the changed object', examples: ['payment/01890a5d-ac96-774b-bcce-b302099a8002'] }),
    sequence: sequence.meta({ description: 'Place in the feed, from 1 without a gap' }),
    previousSequence: sequence.meta({
      description:
        'Place of the last event before it that the filter of this request lets through; 0 without one. Another value than the `sequence` of the event that was received before shows that something is missing.',
    }),
    subjectSequence: sequence.meta({ description: 'Number of this change of the subject, from 1 without a gap' }),
    data: z.unknown().meta({
      description:
        'A JSON object with ids, states, amounts, merchants and the last digits of cards; it names no person. Fields may be added.',
    }),
  })
  .meta({ id: 'Event' });

export const checkpoint = z
  .object({
    timestamp: dateTime,
    sequence: sequence.meta({ description: 'Place of the last event of the feed; 0 without one' }),
    previousSequence: sequence.meta({ description: 'Place of the last event that the filter lets through; 0 without one' }),
  })
  .meta({ id: 'EventCheckpoint' });

export const cursor = z.string().meta({ description: CURSOR, examples: ['acme:1042'] });

const timeOf = (timestamp: WireEvent['timestamp']): string =>
  (timestamp === undefined ? new Date(0) : timestampDate(timestamp)).toISOString();

export const toEvent = ({ dataJson, timestamp, ...event }: WireEvent) => ({
  id: event.id,
  type: event.type,
  timestamp: timeOf(timestamp),
  subject: event.subject,
  sequence: Number(event.sequence),
  previousSequence: Number(event.previousSequence),
  subjectSequence: Number(event.subjectSequence),
  data: JSON.parse(dataJson) as unknown,
});

export const toCheckpoint = (checkpoint: WireCheckpoint | undefined) => ({
  timestamp: timeOf(checkpoint?.timestamp),
  sequence: Number(checkpoint?.sequence ?? 0n),
  previousSequence: Number(checkpoint?.previousSequence ?? 0n),
});

type WirePage = { events: readonly WireEvent[]; cursor: string; hasMore: boolean; checkpoint?: WireCheckpoint | undefined };

export const toPage = ({ events, cursor, hasMore, checkpoint }: WirePage) => ({
  data: events.map(toEvent),
  cursor,
  hasMore,
  checkpoint: toCheckpoint(checkpoint),
});
