import type { Authenticator, RevokedSessions } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { Upstream } from '../clients/upstream.ts';
import type { IdempotencyRecords } from '../idempotency/index.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { StreamSlots } from '../limits/stream-slots.ts';

/** The dependencies of all routes. */
export type Serving = {
  upstream: Upstream;
  runtime: Runtime;
  authenticate: Authenticator;
  /** The sessions whose tokens this gateway rejects. */
  revoked: RevokedSessions;
  rateLimits: RateLimits;
  idempotency: IdempotencyRecords;
  validateAnswers: boolean;
  streams: StreamSlots;
  /** Interval between two comments on an event stream. */
  heartbeatMs: number;
  /** Aborts when the gateway stops. Requests end by themselves; streams do not. */
  stopping: AbortSignal;
};
