import type { Redis } from '../redis/index.ts';
import type { Publish } from './relay.ts';

/** Events kept for consumers that are away; about as many, trimmed by whole nodes. */
const MAX_EVENTS = 100_000;

export const streamOf = (service: string): string => `florin:events:${service}`;

/** Publishes into a Redis stream per service. */
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
