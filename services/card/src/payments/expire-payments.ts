import type { Logger } from '@florin/rpc/observe';
import type { Payment } from '../domain/payment.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { Effects } from './carry-out-effects.ts';
import type { EventRecorder } from './record-payment-event.ts';

type ExpiringParts = { payments: PaymentStore; record: EventRecorder; effects: Effects };

/** Expires payments whose time is over. A later clearing still books. */
export const createExpiring = ({ payments, record, effects }: ExpiringParts) => {
  /** One event per expiry time: of any number of sweepers one records it. */
  const expire = async (payment: Payment, expiresAt: Date, now: Date, logger: Logger): Promise<void> => {
    const event = { id: `expiry:${expiresAt.getTime()}`, type: 'expiry' as const, at: now, expiresAt };
    await effects.run(await record(payment, event, payment), logger);
  };

  return {
    /**
     * Expires up to `limit` payments.
     * @param cardIds only of these cards
     */
    expireAll: async (now: Date, limit: number, logger: Logger, cardIds?: readonly string[]): Promise<void> => {
      for (const payment of await payments.findExpired(now, limit, cardIds)) {
        if (payment.expiresAt !== undefined) await expire(payment, payment.expiresAt, now, logger);
      }
    },
  };
};

export type Expiring = ReturnType<typeof createExpiring>;
