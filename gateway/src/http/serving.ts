import type { Authenticator, RevokedSessions } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { Upstream } from '../clients/upstream.ts';
import type { IdempotencyRecords } from '../idempotency/index.ts';
import type { RateLimits } from '../middleware/rate-limits.ts';
import type { StreamSlots } from './stream-slots.ts';

/** What routes are served with. */
export type Serving = {
  upstream: Upstream;
  runtime: Runtime;
  authenticate: Authenticator;
  /** The sessions whose tokens this gateway refuses. */
  revoked: RevokedSessions;
  rateLimits: RateLimits;
  idempotency: IdempotencyRecords;
  validateAnswers: boolean;
  streams: StreamSlots;
  /** Pause between two comments on a stream. */
  heartbeatMs: number;
  /** Aborts when the gateway stops: requests run to their end, streams would never. */
  stopping: AbortSignal;
};
