import { daysMs, type RetentionRule } from '@florin/data/retention';

/** How long identity keeps what ended. */
export const retentionRules = (days: { sessions: number; funds: number }): RetentionRule[] => [
  { collection: 'sessions', keptMs: daysMs(days.sessions), due: (before) => ({ expiresAt: { $lt: before } }) },
  { collection: 'funds_answers', keptMs: daysMs(days.funds), due: (before) => ({ replacedAt: { $lt: before } }) },
];
