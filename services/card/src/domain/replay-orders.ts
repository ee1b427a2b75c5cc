import type { Amount } from '@florin/rpc/money';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';
import { holdIdOf, orderIdOf } from './payment-ids.ts';
import { factsOfFirstEvent, recordEvent } from './record-event.ts';

/** Orders to the ledger. All others are about records of the card service and of 3-D Secure, which have backups of their own. */
const AT_LEDGER: ReadonlySet<PaymentEffect['kind']> = new Set([
  ...(['open_hold', 'increase_hold', 'decrease_hold', 'extend_hold', 'void_hold', 'cancel_hold', 'cancel_increase'] as const),
  ...(['post', 'credit', 'debit', 'move'] as const),
]);

const MOVES_MONEY: ReadonlySet<PaymentEffect['kind']> = new Set(['post', 'credit', 'debit']);

/** The order by which an approved request has held its money before it was recorded. */
const heldBy = ({ id: paymentId, holdId }: Payment, { id, type, decision, expiresAt, at }: PaymentEvent): PaymentEffect[] => {
  if (decision === undefined || decision.decline !== undefined || decision.held === 0n) return [];
  const own = holdIdOf(paymentId, id);
  const hold = { id: own, amount: decision.held, expiresAt: expiresAt ?? at };
  if (type === 'authorization') return [{ ...hold, kind: 'open_hold', holdId: own }];
  return type === 'increment' && holdId !== undefined ? [{ ...hold, kind: 'increase_hold', holdId }] : [];
};

/** The last part of an entry's id at the ledger: of a posting, the id of the order. */
const orderOf = (entry: string): string => entry.slice(entry.lastIndexOf('/') + 1);

/** Reports whether the money that the orders move is the money that the payment has moved, or is to move. */
const movesTheSame = ({ ledgerEntries, effects, holdId }: Payment, orders: readonly PaymentEffect[]): boolean => {
  const moved = new Set(ledgerEntries.map(orderOf));
  const outstanding = new Set(effects.map(({ id }) => id));
  const money = orders.filter(({ kind }) => MOVES_MONEY.has(kind)).map(({ id }) => id);
  const holds = orders.flatMap((order) => ('holdId' in order ? [order.holdId] : []));
  const explained = new Set([...orders.map(({ id }) => id), ...holds, holdId]);
  return money.every((id) => moved.has(id) || outstanding.has(id)) && [...moved].every((id) => explained.has(id));
};

const SAME = ['held', 'cleared', 'refunded', 'refundedElsewhere', 'ended', 'holdId'] as const;

/** The orders of each event of a payment, oldest first, with the same ids as when they were carried out, and the payment after the last event. */
const replay = (payment: Payment) => {
  let replayed = newPayment(factsOfFirstEvent(payment));
  const ordered = payment.events.map((event) => {
    const before = replayed;
    replayed = recordEvent({ ...before, effects: [] }, event);
    return { event, before, orders: replayed.effects };
  });
  return { replayed, ordered };
};

/** The amounts that a payment has booked on its account for the network, with the id of the order and the event of each. Credits of disputes are left out. */
export const bookingsOf = (payment: Payment): { id: string; amount: Amount; event: PaymentEvent }[] =>
  replay(payment).ordered.flatMap(({ event, orders }) =>
    orders.flatMap((order) => {
      const isBooking =
        order.kind === 'post' ||
        (order.kind === 'credit' && order.from === 'settlement') ||
        (order.kind === 'debit' && order.to === 'settlement');
      return isBooking ? [{ id: order.id, amount: order.amount, event }] : [];
    }),
  );

/**
 * All orders to the ledger that the events of a payment lead to, oldest first, with the same ids as when they were carried out.
 * @returns undefined if the payment was recorded by rules of an earlier release under which its events led to something else: another state, or money that the
 * present rules move differently. Its orders are not repeated
 */
export const ordersOf = (payment: Payment): readonly PaymentEffect[] | undefined => {
  const { replayed, ordered } = replay(payment);
  const orders = ordered.flatMap(({ event, before, orders: all }) => [
    ...heldBy(before, event),
    ...all.filter(({ kind }) => AT_LEDGER.has(kind)),
  ]);
  const isSame = SAME.every((field) => replayed[field] === payment[field]);
  if (!isSame || !movesTheSame(payment, orders)) return undefined;
  const { id, holdId, ended } = payment;
  // Bookings while the ledger had lost the hold have not ended it.
  return ended === undefined || holdId === undefined
    ? orders
    : [...orders, { kind: 'void_hold', id: orderIdOf(id, holdId, 'ended'), holdId }];
};
