import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { dataIn, versionOf } from '../domain/event-data.ts';
import type { PlacedEvent } from '../domain/feed-block.ts';
import type { Checkpoint } from '../reading/read-feed.ts';

/** The events with their data in the version that a reader asks for; 0: the newest one. */
export const toWireEvents = (events: readonly PlacedEvent[], version: number) =>
  events.map((event) => ({
    id: event.id,
    type: event.type,
    timestamp: timestampFromDate(event.at),
    subject: event.subject,
    sequence: BigInt(event.sequence),
    previousSequence: BigInt(event.previousSequence),
    subjectSequence: BigInt(event.subjectSequence),
    dataJson: dataIn(versionOf(version), event),
  }));

export const toWireCheckpoint = ({ timestamp, sequence, previousSequence }: Checkpoint) => ({
  timestamp: timestampFromDate(timestamp),
  sequence: BigInt(sequence),
  previousSequence: BigInt(previousSequence),
});
