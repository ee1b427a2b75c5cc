import type { EventTypeName } from '@florin/proto/events/v1/event-types';

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
  /** The key under which earlier releases have appended it; absent if they used the same one. */
  formerKey?: string;
};

/** Feed of what concerns no partner. No partner has this id: those of partners begin with a letter or digit. */
export const PLATFORM_FEED = '_platform';

/** The unique key of an event: its subject and its number among the changes of it. */
export const keyOf = ({ subject, subjectSequence }: Pick<FeedEvent, 'subject' | 'subjectSequence'>): string =>
  `${subject}#${subjectSequence}`;
