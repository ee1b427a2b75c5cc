import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { HoldsClient } from '../clients/holds.ts';
import type { Exception, ExceptionKind } from '../domain/exception.ts';
import { eventOf, type Payment } from '../domain/payment.ts';
import type { PaymentEventType } from '../domain/payment-event.ts';
import { exceptionIdOf, orderIdOf } from '../domain/payment-ids.ts';
import { type Program, toTokenAmount } from '../domain/program.ts';
import { paymentAt } from '../domain/record-event.ts';
import type { CardStore } from '../store/cards.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';
import { awaitEffects } from './background.ts';
import type { ReportInput } from './event-input.ts';
import type { Preparation } from './prepare-event.ts';

type SuspenseParts = {
  preparation: Pick<Preparation, 'claimOf' | 'billingOf'>;
  claims: EventClaimStore;
  payments: Pick<PaymentStore, 'find'>;
  cards: Pick<CardStore, 'find'>;
  exceptions: ExceptionStore;
  holds: Pick<HoldsClient, 'move'>;
  program: Program;
};

/** The outcome of a report: it is recorded on a payment, or in suspense. */
export type Reported = { payment: Payment } | { exceptionId: string };

const CHARGES: ReadonlySet<PaymentEventType> = new Set(['clearing', 'force_post', 'refund_reversal', 'correction_debit', 'advice']);
const CREDITS: ReadonlySet<PaymentEventType> = new Set(['refund', 'credit', 'correction_credit']);

const KINDS: Readonly<Record<string, ExceptionKind>> = { CARD_NOT_FOUND: 'unknown_card', CURRENCY_NOT_SUPPORTED: 'unknown_rate' };

/** The kind of exception by which a report that could not be read is kept; undefined for reports that book nothing, and for other errors. */
export const suspenseKind = ({ type, singleMessage }: ReportInput, error: unknown): ExceptionKind | undefined => {
  const books = CREDITS.has(type) || (CHARGES.has(type) && (type !== 'advice' || singleMessage === true));
  return books && error instanceof CodedError ? KINDS[error.code] : undefined;
};

/**
 * Keeps reports whose card or rate is not known: the network has moved their money. Each is one exception, and one entry between the ledger's accounts
 * `suspense` and `settlement`.
 */
export class Suspense {
  readonly #parts: SuspenseParts;

  constructor(parts: SuspenseParts) {
    this.#parts = parts;
  }

  /**
   * Keeps a report. Safe to repeat. The first arrival of an event binds where it belongs: one that was recorded on a payment stays there.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
   */
  async keep(input: ReportInput, kind: ExceptionKind, logger: Logger): Promise<Reported> {
    const { preparation, claims, exceptions } = this.#parts;
    const id = exceptionIdOf(input.processor, input.eventId);
    const claim = await claims.claim({ ...preparation.claimOf(input, id), suspended: true });
    if (claim.suspended !== true) return { payment: await this.#recorded(claim.paymentId, input.eventId) };
    const exception = await this.#exceptionOf(id, input, kind);
    if (await exceptions.raise(exception)) logger.warn({ exceptionId: id, kind }, 'a report of the network is in suspense');
    const stored = await exceptions.find(id);
    if (stored !== undefined) await awaitEffects(this.book(stored, logger));
    return { exceptionId: id };
  }

  /** Books the amount of an exception into suspense, unless the ledger cannot do so now: the sweeper repeats it. Safe to repeat. */
  async book(exception: Exception, logger: Logger): Promise<void> {
    try {
      await this.replay(exception);
    } catch (err) {
      logger.error({ err, exceptionId: exception.id }, 'booking into suspense failed, will retry');
    }
  }

  /**
   * Books the amount of an exception into suspense, also if that was done before: the ledger may have lost it.
   * @throws the error of the ledger
   */
  async replay({ id, eventId, suspended = 0n }: Exception): Promise<void> {
    const { holds, exceptions, program } = this.#parts;
    if (suspended === 0n) return;
    const [from, to] = suspended < 0n ? ['suspense', 'settlement'] : ['settlement', 'suspense'];
    const amount = toTokenAmount(program, suspended < 0n ? -suspended : suspended);
    const entry = { entryId: orderIdOf(id, eventId, 'suspense'), token: program.token.symbol, amount };
    await holds.move({ ...entry, from, to, reference: id, purpose: 'suspense' });
    await exceptions.confirmBooked(id);
  }

  /** The payment right after an event that was recorded when it could be read. */
  async #recorded(paymentId: string, eventId: string): Promise<Payment> {
    const payment = await this.#parts.payments.find(paymentId);
    if (payment === undefined || eventOf(payment, eventId) === undefined) throw new CodedError('SERVICE_UNAVAILABLE');
    return paymentAt(payment, eventId);
  }

  async #exceptionOf(id: string, input: ReportInput, kind: ExceptionKind) {
    const { processor, eventId, type, cardId, money } = input;
    const [amount, card] = await Promise.all([this.#parts.preparation.billingOf(input), this.#parts.cards.find(cardId)]);
    const signed = (value: Amount): Amount => (CREDITS.has(type) ? value : -value);
    return {
      ...{ id, kind, processor, eventId, eventType: type, cardId },
      ...(amount === undefined ? {} : { amount, suspended: signed(amount) }),
      ...(card === undefined ? {} : { accountId: card.accountId }),
      ...(money === undefined ? {} : { originalAmount: money.amount, originalCurrency: money.currency }),
    };
  }
}
