import { z } from 'zod';
import { id, time } from './fields.ts';

/** An order that one operator gives and another approves. */
export const order = z.object({
  id,
  /**
   * `pending` waits for a second operator, for a day; then it is `expired`. `approved` is under way or was interrupted, and is carried out when its approver
   * repeats the approval. `resolved` was carried out. `rejected`; `failed`: nothing was done, for the reason of `failureCode`.
   */
  status: z.enum(['pending', 'approved', 'resolved', 'rejected', 'failed', 'expired']),
  reason: z.string(),
  /** `operator:<id>`. */
  actor: z.string(),
  actorName: z.string().optional(),
  /** The actor who approved or rejected it: `operator:<id>`. */
  decidedBy: z.string().optional(),
  decidedByName: z.string().optional(),
  failureCode: z.string().optional(),
  createdAt: time,
});
export type Order = z.output<typeof order>;
export type OrderStatus = Order['status'];
