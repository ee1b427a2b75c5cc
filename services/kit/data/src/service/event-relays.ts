import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import type { Model } from 'mongoose';
import { type AppendToFeed, createOutboxRelay, createStreamPublisher, type OutboxRelay, type Publish } from '../outbox/index.ts';
import type { Redis } from '../redis/index.ts';

export type EventRelays = {
  /** Publishes an event to the service's stream, and counts it. */
  publish: Publish;
  /** Relays the outboxes of a collection until the service stops, and measures how old their oldest event is. */
  // biome-ignore lint/suspicious/noExplicitAny: any model whose documents have an `outbox` field
  relayEvents: (model: Model<any>, publish?: Publish) => OutboxRelay;
};

type Parts = {
  service: string;
  redis: Redis;
  metrics: Metrics | undefined;
  logger: Logger;
  now: () => Date;
  /** The feed that keeps every event; undefined where no events service is configured. */
  feed: AppendToFeed | undefined;
  defer: (release: () => unknown) => void;
};

/** Creates the relays of a service's events. */
export const createEventRelays = ({ service, redis, metrics, logger, now, feed, defer }: Parts): EventRelays => {
  const relays = new Map<string, OutboxRelay>();
  metrics?.gauges('florin_outbox_age_seconds', 'Age of the oldest event that is not published yet', ['collection'], () =>
    [...relays].map(([collection, { oldest }]) => {
      const at = oldest();
      return [[collection], at === undefined ? 0 : Math.max(0, (now().getTime() - at.getTime()) / 1000)];
    }),
  );
  const count = metrics?.counters('florin_events_total', 'Published events; one that is published again counts again', ['type']);
  const toStream = createStreamPublisher(redis, service);
  const publish: Publish = async (aggregateId, event) => {
    await toStream(aggregateId, event);
    count?.([event.type]);
  };
  return {
    publish,
    relayEvents: (model, through = publish) => {
      const relay = createOutboxRelay({ model, publish: through, feed, logger });
      relays.set(model.collection.name, relay);
      defer(relay.close);
      return relay;
    },
  };
};
