import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { awaitsOrder } from '../domain/exception.ts';
import { eventOf, type Payment } from '../domain/payment.ts';
import type { Reservation, Spending, SpendingEntry } from '../domain/spending.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { SpendingStore } from '../store/spendings.ts';
import type { Effects } from './carry-out-effects.ts';
import { abandoned } from './decide-request.ts';
import type { Expiring } from './expire-payments.ts';
import type { EventRecorder } from './record-payment-event.ts';
import type { LimitReservations } from './reservations.ts';
import type { Suspense } from './suspense.ts';

/** Age from which effects count as abandoned. */
const EFFECTS_SECONDS = 5;

/** Age from which a request counts as abandoned: longer than any decision takes. */
const REQUEST_SECONDS = 10;

/** Pause before an order is repeated that the ledger has rejected. */
const REJECTED_SECONDS = 600;

const INTERVAL_MS = 2000;
const BATCH = 100;

type PaymentSweeperParts = {
  payments: PaymentStore;
  spendings: SpendingStore;
  claims: EventClaimStore;
  reservations: LimitReservations;
  record: EventRecorder;
  effects: Effects;
  expiring: Expiring;
  exceptions: Pick<ExceptionStore, 'findUnbooked' | 'page' | 'resolve'>;
  suspense: Pick<Suspense, 'book'>;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/**
 * Finishes what killed processes and unreachable neighbours have left: effects that were not carried out, requests that were never decided,
 * holds past their time. Any number of replicas may sweep; everything is idempotent.
 */
export const startPaymentSweeper = (parts: PaymentSweeperParts): Rounds => {
  const { payments, spendings, claims, reservations, record, effects, expiring, exceptions, suspense, runtime, logger } = parts;
  const before = (seconds: number): Date => new Date(runtime.now().getTime() - seconds * 1000);

  const carryOut = async (payment: Payment): Promise<void> => {
    const outcome = await effects.run(payment, logger);
    if (outcome !== 'done') await payments.postpone(payment.id, before(outcome === 'rejected' ? -REJECTED_SECONDS : 0));
  };

  /** Ends a request that was abandoned before it was decided: declined, and released at the ledger. */
  const end = async ({ claimId }: Reservation): Promise<Payment | undefined> => {
    const claim = await claims.find(claimId);
    if (claim?.request === undefined) return undefined;
    const ended = await record(claim.request.facts, abandoned(claim.request.event));
    await carryOut(ended);
    return ended;
  };

  /** The payment of an entry with reservations that are due, after its abandoned requests were ended. */
  const endDue = async ({ paymentId, reservations: reserved }: SpendingEntry, due: Date): Promise<Payment | undefined> => {
    const old = reserved.filter(({ at }) => at < due);
    if (old.length === 0) return undefined;
    let payment = await payments.find(paymentId);
    for (const reservation of old) {
      if (payment === undefined || eventOf(payment, reservation.eventId) === undefined) payment = (await end(reservation)) ?? payment;
    }
    return payment;
  };

  const settle = async ({ id, entries }: Spending): Promise<void> => {
    const due = before(REQUEST_SECONDS);
    const settled = await Promise.all(entries.map((entry) => endDue(entry, due)));
    await reservations.settleAll(
      id,
      settled.filter((payment) => payment !== undefined),
    );
  };

  /** The list id up to which the rejections of the latest round were read: a round looks at the next ones. */
  let lookedAt: string | undefined;

  /** Resolves the exceptions of orders that are no longer outstanding, whoever has repeated them. */
  const resolveRejections = async (): Promise<void> => {
    const rejections = await exceptions.page({ status: 'open', kinds: ['order_rejected'], after: lookedAt, limit: BATCH });
    lookedAt = rejections.length < BATCH ? undefined : rejections.at(-1)?.listId;
    for (const exception of rejections) {
      const payment = await payments.find(exception.paymentId ?? '');
      if (payment === undefined || awaitsOrder(exception, payment)) continue;
      await exceptions.resolve(exception.id, { by: 'card', note: 'the order is no longer outstanding', at: runtime.now() });
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    for (const payment of await payments.findWithEffects(before(EFFECTS_SECONDS), BATCH)) {
      if (closed()) return;
      await carryOut(payment);
    }
    for (const spending of await spendings.findReserved(before(REQUEST_SECONDS), BATCH)) {
      if (closed()) return;
      await settle(spending);
    }
    for (const exception of await exceptions.findUnbooked(before(EFFECTS_SECONDS), BATCH)) {
      if (closed()) return;
      await suspense.book(exception, logger);
    }
    if (!closed()) await expiring.expireAll(runtime.now(), BATCH, logger);
    if (!closed()) await resolveRejections();
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'sweeping payments failed' });
};
