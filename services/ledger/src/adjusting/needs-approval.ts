import type { Moved } from '../domain/adjustment.ts';
import { type ApprovalRules, type Counted, countedFor, countIn } from '../domain/approval-window.ts';
import type { ApprovalWindowStore } from '../store/approval-windows.ts';

/**
 * Reports whether an order needs a second person's approval. One that does not is counted for its actor and its accounts, so that what is split into small
 * orders adds up. Exact under concurrency: each count is one conditional write. An order that loses a race for one of its counts needs approval, and
 * what it was counted for until then stays counted: totals may be too high, never too low.
 */
export const needsApproval = async (
  windows: ApprovalWindowStore,
  rules: ApprovalRules,
  { id, actor, at, moved }: { id: string; actor: string; at: Date; moved: readonly Moved[] },
): Promise<boolean> => {
  const orders = [...countedFor(actor, moved)].map(([key, amounts]): [string, Counted] => [key, { id, at, amounts }]);
  for (const [key, order] of orders) if (countIn(await windows.find(key), order, rules) === undefined) return true;
  const expiresAt = new Date(at.getTime() + rules.windowMs);
  for (const [key, order] of orders) if (!(await windows.count(key, expiresAt, (counted) => countIn(counted, order, rules)))) return true;
  return false;
};
