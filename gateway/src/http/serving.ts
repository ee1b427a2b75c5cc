import type { Authenticator, RevokedSessions, ServiceCaller } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { Slots } from '@florin/rpc/slots';
import type { Upstream } from '../clients/upstream.ts';
import type { IdempotencyRecords } from '../idempotency/index.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { PartnerRequests } from '../partner-requests/partner-requests.ts';
import type { Proofs } from '../proofs/proofs.ts';
import type { Deployment } from './define-route.ts';
import type { OpenPageSession } from './page-session.ts';

/** The dependencies of all routes. */
export type Serving = {
  upstream: Upstream;
  deployment: Deployment;
  runtime: Runtime;
  authenticate: Authenticator;
  /** Verifies tokens that servers of partners sign for the events service. */
  authenticatePartner: (authorization: string | undefined) => Promise<ServiceCaller>;
  /** The sessions whose tokens this gateway rejects. */
  revoked: RevokedSessions;
  /** Verifies proofs of possession. */
  proofs: Proofs;
  /** Opens the sessions that cookies of this gateway's own pages keep. */
  openPageSession: OpenPageSession;
  rateLimits: RateLimits;
  idempotency: IdempotencyRecords;
  partnerRequests: PartnerRequests;
  validateAnswers: boolean;
  /** Open event streams, and CSV tables in the making. */
  streams: Slots<string>;
  tables: Slots<string>;
  /** Interval between two comments on an event stream. */
  heartbeatMs: number;
  /** Aborts when the gateway stops. Requests end by themselves; streams do not. */
  stopping: AbortSignal;
};
