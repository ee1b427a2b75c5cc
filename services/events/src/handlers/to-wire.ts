import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { PlacedEvent } from '../domain/feed-block.ts';
import type { Checkpoint } from '../reading/read-feed.ts';

export const toWireEvent = ({ id, type, at, subject, sequence, previousSequence, subjectSequence, data }: PlacedEvent) => ({
  id,
  type,
  timestamp: timestampFromDate(at),
  subject,
  sequence: BigInt(sequence),
  previousSequence: BigInt(previousSequence),
  subjectSequence: BigInt(subjectSequence),
  dataJson: data,
});

export const toWireCheckpoint = ({ timestamp, sequence, previousSequence }: Checkpoint) => ({
  timestamp: timestampFromDate(timestamp),
  sequence: BigInt(sequence),
  previousSequence: BigInt(previousSequence),
});
