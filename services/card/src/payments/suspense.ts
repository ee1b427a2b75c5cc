import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { HoldsClient } from '../clients/holds.ts';
import type { Card } from '../domain/card.ts';
import type { Exception, ExceptionKind, NewException } from '../domain/exception.ts';
import { eventOf, type Payment } from '../domain/payment.ts';
import { CHARGES, CREDITS } from '../domain/payment-event.ts';
import { exceptionIdOf, orderIdOf, suspendedIdOf } from '../domain/payment-ids.ts';
import { type Program, toTokenAmount } from '../domain/program.ts';
import { paymentAt, presentmentOf } from '../domain/record-event.ts';
import type { CardStore } from '../store/cards.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';
import { awaitEffects } from './background.ts';
import type { ReportInput } from './event-input.ts';
import type { Preparation } from './prepare-event.ts';
import { claimPresentment } from './presentments.ts';

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

/**
 * Reports whether an event may change what is booked for a single message that the network approved in Florin's place: an advice of one, or a reversal,
 * which may be of one.
 */
export const mayBeOfSingleMessage = ({ type, singleMessage, undoneRequestId }: ReportInput): boolean =>
  (type === 'advice' && singleMessage === true) || (type === 'reversal' && undoneRequestId === undefined);

const KINDS: Readonly<Record<string, ExceptionKind>> = { CARD_NOT_FOUND: 'unknown_card', CURRENCY_NOT_SUPPORTED: 'unknown_rate' };

const absolute = (amount: Amount): Amount => (amount < 0n ? -amount : amount);

const describe = (id: string, input: ReportInput, kind: ExceptionKind): NewException => {
  const { processor, eventId, type, transactionId, cardId, money } = input;
  return {
    ...{ id, kind, processor, eventId, eventType: type, cardId },
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(money === undefined ? {} : { originalAmount: money.amount, originalCurrency: money.currency }),
  };
};

/**
 * Keeps reports whose card or rate is not known: the network has moved their money. Each is one exception, and one entry between the ledger's accounts
 * `suspense` and `settlement`; a repeated presentment has none. The suspended amount of a single message follows its later reports, each of which has the difference.
 */
export class Suspense {
  readonly #parts: SuspenseParts;

  constructor(parts: SuspenseParts) {
    this.#parts = parts;
  }

  /**
   * The kind of exception by which a report that could not be read is kept; undefined for other errors, and for reports that book nothing: a reversal does where a
   * single message is in suspense.
   */
  async kindOf(input: ReportInput, error: unknown): Promise<ExceptionKind | undefined> {
    const { type } = input;
    const kind = error instanceof CodedError ? KINDS[error.code] : undefined;
    if (kind === undefined || CREDITS.has(type) || CHARGES.has(type)) return kind;
    const books = mayBeOfSingleMessage(input) && (type === 'advice' || (await this.#singleMessage(input)) !== undefined);
    return books ? kind : undefined;
  }

  /**
   * Keeps a report. Safe to repeat. The first arrival of an event binds where it belongs: one that was recorded on a payment stays there.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
   */
  async keep(input: ReportInput, kind: ExceptionKind, logger: Logger): Promise<Reported> {
    const { preparation, claims } = this.#parts;
    const id = exceptionIdOf(input.processor, input.eventId);
    const claim = await claims.claim({ ...preparation.claimOf(input, id), suspended: true });
    if (claim.suspended !== true) return { payment: await this.#recorded(claim.paymentId, input.eventId) };
    await this.#raise(await this.#exceptionOf(id, input, kind), logger);
    return { exceptionId: id };
  }

  /** Takes out of suspense what is there for a single message of which a later report could be read, and is recorded on its payment. Safe to repeat. */
  async follow(input: ReportInput, logger: Logger): Promise<void> {
    const first = await this.#singleMessage(input);
    if (first === undefined) return;
    const { processor, eventId, type } = input;
    const suspended = await this.#change(first, input, type === 'advice' ? 0n : await this.#statedBy(input, first));
    const described = describe(exceptionIdOf(processor, eventId), input, first.kind);
    if (suspended !== 0n) await this.#raise({ ...described, amount: absolute(suspended), suspended }, logger);
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
  async replay({ id, eventId, presentmentId, suspended = 0n }: Exception): Promise<void> {
    const { holds, exceptions, program } = this.#parts;
    if (suspended === 0n) return;
    const [from, to] = suspended < 0n ? ['suspense', 'settlement'] : ['settlement', 'suspense'];
    const amount = toTokenAmount(program, absolute(suspended));
    // The same entry, whichever report of it comes first after a restore of this service.
    const [reference, ordered] = presentmentId === undefined ? [id, eventId] : [presentmentId, ''];
    const entry = { entryId: orderIdOf(reference, ordered, 'suspense'), token: program.token.symbol, amount };
    await holds.move({ ...entry, from, to, reference, purpose: 'suspense' });
    await exceptions.confirmBooked(id);
  }

  /** The payment right after an event that was recorded when it could be read. */
  async #recorded(paymentId: string, eventId: string): Promise<Payment> {
    const payment = await this.#parts.payments.find(paymentId);
    if (payment === undefined || eventOf(payment, eventId) === undefined) throw new CodedError('SERVICE_UNAVAILABLE');
    return paymentAt(payment, eventId);
  }

  async #raise(exception: NewException, logger: Logger): Promise<void> {
    const { exceptions } = this.#parts;
    const { id, kind } = exception;
    if (await exceptions.raise(exception)) logger.warn({ exceptionId: id, kind }, 'a report of the network is in suspense');
    const stored = await exceptions.find(id);
    if (stored !== undefined) await awaitEffects(this.book(stored, logger));
  }

  async #exceptionOf(id: string, input: ReportInput, kind: ExceptionKind): Promise<NewException> {
    const { preparation, cards } = this.#parts;
    const [amount, card] = await Promise.all([preparation.billingOf(input), cards.find(input.cardId)]);
    const described = {
      ...describe(id, input, kind),
      ...(amount === undefined ? {} : { amount }),
      ...(card === undefined ? {} : { accountId: card.accountId }),
    };
    const { isSentAgain, presentmentId } = await this.#sendingOf(id, input, card);
    if (isSentAgain) return { ...described, kind: 'duplicate' };
    const first = mayBeOfSingleMessage(input) ? await this.#firstOfSingleMessage(id, input) : undefined;
    if (first !== undefined) {
      const suspended = await this.#change(first, input, await this.#statedBy(input, first));
      return { ...described, amount: amount ?? absolute(suspended), suspended };
    }
    if (amount === undefined) return described;
    const presented = presentmentId === undefined ? {} : { presentmentId };
    return { ...described, ...presented, suspended: CREDITS.has(input.type) ? amount : -amount };
  }

  /**
   * Claims what a report sends: it is sent again if an acquirer has presented the same before, into suspense or on a payment, or if the network marks it as the repeat of
   * a message in suspense.
   */
  async #sendingOf(id: string, input: ReportInput, card: Card | undefined): Promise<{ isSentAgain: boolean; presentmentId?: string }> {
    const { preparation, claims } = this.#parts;
    const { processor, cardId, type, transactionId, money, network = {} } = input;
    const { traceNumber, repeat } = network;
    const presented = presentmentOf(input);
    const traced = transactionId === undefined || traceNumber === undefined ? undefined : `${transactionId} ${traceNumber}`;
    const reference = presented ?? traced;
    if (reference === undefined) return { isSentAgain: false };
    const sent = { processor, accountId: '', ...card, cardId, type, ...money };
    const { at } = preparation.claimOf(input, id);
    const { id: sentId, first } = await claimPresentment(claims, sent, reference, { paymentId: id, suspended: true, at });
    const isSentAgain = first.paymentId !== id && (presented !== undefined || repeat === true);
    return { isSentAgain, ...(presented === undefined ? {} : { presentmentId: sentId }) };
  }

  /** The exception of the first report of a single message in suspense. @throws CodedError SERVICE_UNAVAILABLE while that report is under way */
  async #singleMessage({ processor, cardId, transactionId }: ReportInput): Promise<Exception | undefined> {
    const { claims, exceptions } = this.#parts;
    const claim = transactionId === undefined ? undefined : await claims.find(suspendedIdOf(processor, cardId, transactionId));
    if (claim === undefined) return undefined;
    const first = await exceptions.find(claim.paymentId);
    if (first === undefined) throw new CodedError('SERVICE_UNAVAILABLE');
    return first;
  }

  /** The same for a report of one, which is the first if there is none. @returns undefined for the first one */
  async #firstOfSingleMessage(id: string, input: ReportInput): Promise<Exception | undefined> {
    const { preparation, claims } = this.#parts;
    const { processor, cardId, transactionId = '', type } = input;
    if (type === 'reversal') return this.#singleMessage(input);
    const claim = { ...preparation.claimOf(input, id), id: suspendedIdOf(processor, cardId, transactionId), inputHash: '' };
    const { paymentId } = await claims.claim({ ...claim, suspended: true });
    return paymentId === id ? undefined : this.#singleMessage(input);
  }

  /** The amount that a later report of a single message states, at the rate of the first one where both are in one currency; undefined if it is not known. */
  async #statedBy(input: ReportInput, { amount, originalAmount = 0n, originalCurrency }: Exception): Promise<Amount | undefined> {
    const { money } = input;
    const isAlike = money?.currency === originalCurrency && amount !== undefined && originalAmount > 0n;
    return isAlike && money !== undefined ? (amount * money.amount) / originalAmount : this.#parts.preparation.billingOf(input);
  }

  /** Has a later report set what is in suspense for a single message. @returns by how much that changes it */
  #change({ id }: Exception, { eventId, type, money }: ReportInput, stated: Amount | undefined): Promise<Amount> {
    return this.#parts.exceptions.change(id, eventId, (standing) => {
      if (type === 'reversal' && money === undefined) return 0n;
      if (stated === undefined) return standing;
      if (type === 'advice') return -stated;
      return standing + stated > 0n ? 0n : standing + stated;
    });
  }
}
