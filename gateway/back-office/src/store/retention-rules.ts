import { daysMs, type RetentionRule } from '@florin/data/retention';

/** Expired records are of no use to anybody. */
const EXPIRING: readonly RetentionRule[] = ['accesses', 'ceremonies', 'invitations', 'operator_sessions'].map((collection) => ({
  collection,
  keptMs: 0,
  due: (before) => ({ expiresAt: { $lt: before } }),
}));

/**
 * The retention periods of the back office.
 * @param days of the idempotency keys of actions, after which a repeat counts as a new action; and of the audit log, with which orders of two operators end, because they
 * are evidence of the same decisions: 0 keeps them without end. An order that was approved and has no end yet can still be carried out, and stays
 */
export const retentionRules = ({ idempotency, audit }: { idempotency: number; audit: number }): RetentionRule[] => [
  ...EXPIRING,
  { collection: 'actions', keptMs: daysMs(idempotency), due: (before) => ({ createdAt: { $lt: before } }) },
  ...(audit === 0
    ? []
    : [
        ...['halt_orders', 'replacement_orders'].map((collection) => ({
          collection,
          keptMs: daysMs(audit),
          due: (before: Date) => ({ createdAt: { $lt: before }, status: { $ne: 'approved' } }),
        })),
        { collection: 'queue_items', keptMs: daysMs(audit), due: (before: Date) => ({ updatedAt: { $lt: before } }) },
      ]),
];
