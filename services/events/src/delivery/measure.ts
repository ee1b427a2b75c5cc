import type { Metrics } from '@florin/rpc/metrics';
import { SHARDS } from '../domain/webhooks/shards.ts';
import { isSuccess, type Sent } from './send.ts';

/** How many endpoints are in which state: as the last delivery left them, paused by the platform, or disabled by their owner. */
export type EndpointStates = Record<'working' | 'failing' | 'down' | 'paused' | 'disabled', number>;

/** The work of a deliverer at a moment. */
export type DeliveryStatus = {
  shards: number;
  endpoints: EndpointStates;
  /** Subjects of which an event failed. */
  parked: number;
  /** Age of the oldest event that waits for an endpoint that works, in milliseconds. */
  lagMs: number;
};

/** Counts attempts. */
export type MeasureAttempts = {
  attempted: (sent: Pick<Sent, 'status' | 'durationMs'>) => void;
  /** Nothing was sent, for a reason of this side. */
  postponed: () => void;
};

/** Upper bounds in seconds; an attempt takes 11 s at most. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 11];

const outcomeOf = (sent: Pick<Sent, 'status'>): string => {
  if (sent.status === 0) return 'unanswered';
  return isSuccess(sent) ? 'delivered' : 'rejected';
};

/** Declares the metrics of attempts. Endpoints and partners are no labels: there may be thousands. */
export const measureAttempts = (metrics: Metrics | undefined): MeasureAttempts => {
  if (metrics === undefined) return { attempted: () => undefined, postponed: () => undefined };
  const count = metrics.counters('florin_webhook_attempts_total', 'Attempts to deliver webhooks', ['outcome']);
  const took = metrics.histogram('florin_webhook_attempt_seconds', 'Duration of attempts to deliver webhooks', BUCKETS);
  return {
    attempted: (sent) => {
      count([outcomeOf(sent)]);
      took(sent.durationMs / 1000);
    },
    postponed: () => count(['postponed']),
  };
};

/** Declares the metrics of what a deliverer has to do. */
export const measureDeliveries = (metrics: Metrics, status: () => DeliveryStatus): void => {
  metrics.gauges('florin_webhook_endpoints', 'Webhook endpoints by state', ['state'], () =>
    Object.entries(status().endpoints).map(([state, count]) => [[state], count] as const),
  );
  metrics.gauge('florin_webhook_parked_subjects', 'Subjects of which an event failed', () => status().parked);
  metrics.gauge('florin_webhook_lag_seconds', 'Age of the oldest event that waits for an endpoint that works', () => status().lagMs / 1000);
  metrics.gauge('florin_webhook_shards_owned', 'Shards of partners that this process delivers to', () => status().shards);
  metrics.gauge('florin_webhook_shards', 'Shards of partners', () => SHARDS);
};
