import type { Amount } from '@florin/rpc/money';
import { exceptionIdOf } from '../domain/payment-ids.ts';
import { amountsOf, type MatchingParts } from './match-settlement.ts';

/** A payment of which the ledger has booked more than the network has settled (`amount`, in the minor unit), or less, since a time; zero: no more. */
export type Unsettled = { paymentId: string; accountId: string; since: Date; amount: Amount; currency: string };

/**
 * Raises an exception for each payment that differs, and resolves those of payments that agree. Safe to repeat: what a person has decided stands.
 * @throws CodedError SERVICE_UNAVAILABLE
 */
export const raiseUnsettled = async (
  {
    payments,
    exceptions,
    program,
    runtime,
  }: Pick<MatchingParts, 'exceptions' | 'program' | 'runtime'> & {
    payments: Pick<MatchingParts['payments'], 'findMany'>;
  },
  items: readonly Unsettled[],
): Promise<void> => {
  const found = await payments.findMany([...new Set(items.map(({ paymentId }) => paymentId))]);
  const known = new Map(found.map((payment) => [payment.id, payment]));
  await Promise.all(
    items.map(async ({ paymentId, accountId, since, amount, currency }) => {
      const { processor = '', cardId = '' } = known.get(paymentId) ?? {};
      // No event of a processor has such an id.
      const id = exceptionIdOf('settlement', `not settled ${paymentId} ${accountId} ${currency} ${since.toISOString()}`);
      if (amount === 0n) {
        await exceptions.resolve(id, { by: 'settlement', note: 'settled since', at: runtime.now() });
        return;
      }
      await exceptions.raise({
        ...{ id, kind: 'not_settled', processor, eventId: '', eventType: '', cardId, paymentId, accountId },
        ...amountsOf({ amount, currency }, program),
      });
    }),
  );
};
