import { type EventTypeName, eventTypeOf } from '@florin/proto/events/v1/event-types';

/** An event as a feed holds it, without its place. */
export type FeedEvent = {
  /** UUID. */
  id: string;
  type: EventTypeName;
  at: Date;
  /** `<kind>/<id>`. */
  subject: string;
  /** Number among the changes of its subject, from 1. */
  subjectSequence: number;
  /** JSON of the fields that the catalogue lists. */
  data: string;
  /** The user whom it concerns; absent if it concerns none. */
  userId?: string;
};

/** Feed of what concerns no partner. No partner has this id: those of partners begin with a letter or digit. */
export const PLATFORM_FEED = '_platform';

/** The unique key of an event: its subject and its number among the changes of it. */
export const keyOf = ({ subject, subjectSequence }: Pick<FeedEvent, 'subject' | 'subjectSequence'>): string =>
  `${subject}#${subjectSequence}`;

/** The fields of an event's data that the catalogue lists for its type, as JSON. Personal data and everything else is left out. */
export const listedData = (type: EventTypeName, data: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(eventTypeOf(type).fields);
  return JSON.stringify(Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]]))));
};
