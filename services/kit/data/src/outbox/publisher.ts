import type { Redis } from '../redis/index.ts';
import type { Publish } from './relay.ts';

/** Approximate number of events kept for disconnected consumers. */
const MAX_EVENTS = 100_000;

/** Returns the key of the Redis stream that holds a service's events. */
export const streamOf = (service: string): string => `florin:events:${service}`;

/** Creates a publisher that appends to the service's Redis stream. */
export const createStreamPublisher = (redis: Redis, service: string): Publish => {
  const stream = streamOf(service);
  return async (aggregateId, event) => {
    await redis.xAdd(
      stream,
      '*',
      { id: event.id, type: event.type, aggregateId, at: event.at.toISOString(), payload: JSON.stringify(event.payload) },
      { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: MAX_EVENTS } },
    );
  };
};
