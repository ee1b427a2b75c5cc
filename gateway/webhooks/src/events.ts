import type { EventData } from './generated/event-data.ts';

export type { Transfer } from './generated/event-data.ts';

/** A type of the catalogue when this package was made. */
export type EventTypeName = keyof EventData;

type Envelope<T extends string, D> = {
  /** UUID. A repeat has the same one. */
  id: string;
  type: T;
  /** When it happened, ISO 8601. */
  timestamp: string;
  /** The changed object, `<kind>/<id>`. */
  subject: string;
  /** Place in the feed, from 1 without a gap. */
  sequence: number;
  /** Place of the last event before it that the reader's filter lets through; 0 without one. */
  previousSequence: number;
  /** Number of this change of the subject, from 1 without a gap. */
  subjectSequence: number;
  data: D;
};

/** An event of a type of the catalogue. */
export type EventOf<T extends EventTypeName> = Envelope<T, EventData[T]>;

/** An event. Types may be added to the catalogue, so a reader ignores those that it does not know. */
export type Event = Envelope<string, Readonly<Record<string, unknown>>>;

/** Says how far the feed has grown, so that a reader sees that the end is missing. */
export type Checkpoint = {
  timestamp: string;
  /** Place of the feed's last event; 0 without one. */
  sequence: number;
  /** Place of the last event that the reader's filter lets through; 0 without one. */
  previousSequence: number;
};

/** The body of a delivery: an event, a checkpoint, or something that this version does not know. */
export type Message = {
  readonly type: string;
  /** Endpoint that the delivery is for. */
  readonly endpointId?: string;
};

const isPlace = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Reports whether a message is an event of the feed. */
export const isEvent = (message: Message): message is Event => {
  const { id, timestamp, subject, sequence, previousSequence, subjectSequence, data } = message as Partial<Event>;
  return (
    [id, timestamp, subject].every((text) => typeof text === 'string') &&
    [sequence, previousSequence, subjectSequence].every(isPlace) &&
    typeof data === 'object' &&
    data !== null
  );
};

/** Reports whether a message is an event of one type, and so what its data has. */
export const isEventOf = <T extends EventTypeName>(message: Message, type: T): message is EventOf<T> =>
  message.type === type && isEvent(message);

/** Reports whether a message is a checkpoint. */
export const isCheckpoint = (message: Message): message is Checkpoint & { type: 'checkpoint' } => {
  const { sequence, previousSequence } = message as Partial<Checkpoint>;
  return message.type === 'checkpoint' && isPlace(sequence) && isPlace(previousSequence);
};
