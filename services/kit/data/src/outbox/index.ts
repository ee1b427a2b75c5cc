export { BEGINNING, comparePositions } from '../redis/index.ts';
export { type OutboxEvent, type Outboxed, outboxField, outboxIndex } from './event.ts';
export { type AppendToFeed, createFeedClient, type FeedOutcome, type NumberedEvent } from './feed.ts';
export { createStreamPublisher, streamOf } from './publisher.ts';
export { createOutboxRelay, type OutboxRelay, type Publish } from './relay.ts';
export { openStreamTail, type StreamEvent, type StreamTail, type TailListener } from './tail.ts';
