import type { Logger } from '@florin/rpc/observe';
import { type Payment, unacknowledgedApproval } from '../domain/payment.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { Effects } from './carry-out-effects.ts';
import type { EventRecorder } from './record-payment-event.ts';

type ExpiringParts = { payments: PaymentStore; record: EventRecorder; effects: Effects };

/** Expires holds and announced credits. A later clearing or refund still books. */
export const createExpiring = ({ payments, record, effects }: ExpiringParts) => {
  /** One event per expiry time: of any number of sweepers one records it. */
  const expire = async (payment: Payment, now: Date, logger: Logger): Promise<void> => {
    let current = payment;
    const times = [
      ['expiry', payment.expiresAt],
      ['announcement_expiry', payment.creditExpiresAt],
    ] as const;
    for (const [type, expiresAt] of times) {
      if (expiresAt === undefined || expiresAt > now) continue;
      const unacknowledged = type === 'expiry' ? unacknowledgedApproval(current)?.id : undefined;
      const undoes = unacknowledged === undefined ? {} : { undoneRequestId: unacknowledged };
      current = await record(current, { id: `${type}:${expiresAt.getTime()}`, type, at: now, expiresAt, ...undoes }, current);
    }
    await effects.run(current, logger);
  };

  return {
    /**
     * Ends up to `limit` holds, and as many announced credits, whose time is over.
     * @param cardIds only of these cards
     */
    expireAll: async (now: Date, limit: number, logger: Logger, cardIds?: readonly string[]): Promise<void> => {
      for (const payment of await payments.findExpired(now, limit, cardIds)) await expire(payment, now, logger);
    },
  };
};

export type Expiring = ReturnType<typeof createExpiring>;
