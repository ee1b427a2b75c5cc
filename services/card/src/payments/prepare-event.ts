import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import type { Runtime } from '@florin/rpc/runtime';
import type { Card } from '../domain/card.ts';
import { convert } from '../domain/conversion.ts';
import type { Payment, PaymentFacts, PaymentKind } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { paymentIdOf, paymentIdOfEvent } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { type SpendingSettings, spendingNow } from '../domain/spending.ts';
import type { RateSource } from '../ports/rate-source.ts';
import type { CardStore } from '../store/cards.ts';
import type { EventClaim } from '../store/event-claims.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventInput, StatedAmount } from './event-input.ts';
import { findPaymentId } from './find-payment-id.ts';
import type { SpendingBook } from './spending-book.ts';

export type PreparationParts = {
  cards: CardStore;
  payments: PaymentStore;
  book: Pick<SpendingBook, 'look'>;
  rates: RateSource;
  program: Program;
  runtime: Pick<Runtime, 'now'>;
};

/** An event with everything that is known before it is claimed. */
export type PreparedEvent = {
  claim: EventClaim;
  facts: PaymentFacts;
  event: PaymentEvent;
  card: Card;
  /** The payment that the event belongs to; undefined when the event is the first of it. */
  payment: Payment | undefined;
  settings: SpendingSettings;
  /** Now, on the card's clock. */
  now: Date;
};

const kindOf = ({ type, atm, push }: EventInput): PaymentKind => {
  if (type === 'refund' || type === 'refund_reversal' || (type === 'credit_announced' && push !== true)) return 'refund';
  if (type === 'credit' || type === 'correction_credit' || type === 'credit_announced') return 'credit';
  if (type === 'verification' || type === 'balance_inquiry') return 'verification';
  return atm === true ? 'atm' : 'payment';
};

/** Largest amount in the billing currency, which a conversion may exceed although the stated amount is within its bounds. */
const MAX_BILLING = 10n ** 18n;

/**
 * Reads what an event is about, without writing anything.
 * @throws CodedError CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED (the payment is another card's)
 */
export const createPreparation = ({ cards, payments, book, rates, program, runtime }: PreparationParts) => {
  const bill = async ({ amount, currency, decimals, billing }: StatedAmount) => {
    if (billing !== undefined) return { amount, currency, billing };
    if (currency === program.currency) return { amount, currency, billing: amount };
    const rate = await rates.find(currency, program.currency);
    if (rate === undefined) throw new CodedError('CURRENCY_NOT_SUPPORTED');
    const { markupBasisPoints } = program;
    const converted = convert(amount, { rate, markupBasisPoints, from: decimals, to: program.decimals });
    if (converted < 1n || converted > MAX_BILLING) {
      throw new CodedError('VALIDATION_FAILED', {
        message: 'amount.amount: must be worth between one minor unit and 10^18 of the billing currency',
      });
    }
    return { amount, currency, billing: converted, fx: { rate, markupBasisPoints } };
  };

  return async (input: EventInput): Promise<PreparedEvent> => {
    const { processor, eventId, transactionId, cardId, type, merchant, entryMode } = input;
    const stated = transactionId === undefined ? undefined : paymentIdOf(processor, transactionId);
    const [card, ofCard, ofTransaction, money] = await Promise.all([
      cards.find(cardId),
      book.look(cardId),
      stated === undefined ? undefined : payments.find(stated),
      input.money === undefined ? undefined : bill(input.money),
    ]);
    if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
    const { seriesId } = card;
    const settings = seriesId === undefined ? ofCard : await book.look(seriesId);
    const matching = stated === undefined || type === 'refund' ? await findPaymentId(payments, input, runtime.now()) : undefined;
    const id = stated ?? matching ?? paymentIdOfEvent(processor, eventId);
    const payment = stated === undefined ? await payments.find(id) : ofTransaction;
    const related = stated === undefined ? undefined : matching;
    const now = spendingNow(settings, runtime.now());
    const facts: PaymentFacts = {
      ...{ id, processor, cardId, accountId: card.accountId, userId: card.userId, kind: kindOf(input), createdAt: now },
      ...(seriesId === undefined ? {} : { seriesId }),
      ...(transactionId === undefined ? {} : { transactionId }),
      ...(merchant === undefined ? {} : { merchant }),
      ...(entryMode === undefined ? {} : { entryMode }),
      ...(input.retrievalReference === undefined ? {} : { retrievalReference: input.retrievalReference }),
      ...(related === undefined || related === id ? {} : { relatedPaymentId: related }),
    };
    const event: PaymentEvent = {
      ...{ id: eventId, type, at: now },
      ...money,
      ...(input.atm === true ? { atm: true } : {}),
      ...(entryMode === undefined ? {} : { entryMode }),
      ...(input.singleMessage === true ? { singleMessage: true } : {}),
      ...(input.moreExpected === true ? { moreExpected: true } : {}),
      ...(input.authentication === undefined ? {} : { challengeId: input.authentication.challengeId }),
      ...(input.authentication?.eci === undefined ? {} : { eci: input.authentication.eci }),
    };
    const claim = { id: `${processor}:${eventId}`, inputHash: hashInput(input), paymentId: id, at: runtime.now() };
    return { claim, facts, event, card, payment, settings, now };
  };
};

export type Preparation = ReturnType<typeof createPreparation>;
