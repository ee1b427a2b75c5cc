import { daysMs, type RetentionRule } from '@florin/data/retention';

/** Time for which approvals are kept after the newest of them has expired, so that an expired one differs from an unknown one. */
const APPROVALS_KEPT_MS = 60 * 60 * 1000;

/** Time for which the use of a message is remembered after it has expired: the clocks of replicas differ by less. */
const USES_KEPT_MS = 60 * 60_000;

/** How long identity keeps what ended. */
export const retentionRules = (days: { sessions: number; funds: number }): RetentionRule[] => [
  { collection: 'sessions', keptMs: daysMs(days.sessions), due: (before) => ({ expiresAt: { $lt: before } }) },
  { collection: 'funds_answers', keptMs: daysMs(days.funds), due: (before) => ({ replacedAt: { $lt: before } }) },
  { collection: 'used_messages', keptMs: USES_KEPT_MS, due: (before) => ({ expiresAt: { $lt: before } }) },
  { collection: 'limit_windows', keptMs: 0, due: (before) => ({ expiresAt: { $lt: before } }) },
  { collection: 'wallet_approvals', keptMs: APPROVALS_KEPT_MS, due: (before) => ({ expiresAt: { $lt: before } }) },
  { collection: 'partner_clients', keptMs: 0, due: (before) => ({ expiresAt: { $lt: before } }) },
  { collection: 'codes', keptMs: 0, due: (before) => ({ keptUntil: { $lt: before } }) },
];
