import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { minorUnitDigits } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { atApprovedRate } from '../domain/approved-amount.ts';
import { acceptedClaim, claimForIncrease, claimsOf, needsOriginal } from '../domain/authentication-claims.ts';
import { type Card, seriesOf } from '../domain/card.ts';
import { addressResultOf } from '../domain/check-request.ts';
import { convert } from '../domain/conversion.ts';
import { isFuelRequest } from '../domain/merchant-rules.ts';
import { kindOf, REFUNDING } from '../domain/new-payment.ts';
import { isOfCredits, type Payment, type PaymentFacts, usageOf } from '../domain/payment.ts';
import { isRequest, type PaymentEvent, type PaymentEventType } from '../domain/payment-event.ts';
import { claimIdOf, paymentIdOf, paymentIdOfEvent } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { billedAsPurchased } from '../domain/refund-billing.ts';
import { type SpendingSettings, spendingNow } from '../domain/spending.ts';
import { typedAs, typeRule } from '../domain/transaction-types.ts';
import type { RateSource } from '../ports/rate-source.ts';
import type { CardStore } from '../store/cards.ts';
import type { EventClaim, EventClaimStore } from '../store/event-claims.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { EventInput, StatedAmount } from './event-input.ts';
import { findFollowed, findPayments, mayFollow } from './find-payments.ts';
import { createSeenCards, type SeenCard } from './seen-cards.ts';
import type { SpendingBook } from './spending-book.ts';

export type PreparationParts = {
  cards: CardStore;
  payments: PaymentStore;
  claims: Pick<EventClaimStore, 'find'>;
  book: Pick<SpendingBook, 'look' | 'recall'>;
  rates: RateSource;
  /** Rates that conversions are compared with. */
  reference: RateSource | undefined;
  program: Program;
  runtime: Pick<Runtime, 'now'>;
  logger: Pick<Logger, 'warn'>;
};

/** `fromMemory`: the settings need not be those that are stored, because a conditional write verifies them afterwards. */
export type ReadingOptions = { fromMemory: boolean };

/** The parts of an event's claim. */
export type ClaimedEvent = { claim: EventClaim; facts: PaymentFacts; event: PaymentEvent };

/** An event with everything that is known before it is decided or recorded. */
export type PreparedEvent = ClaimedEvent & {
  card: Card;
  /** The payment that the event belongs to; undefined when the event is the first of it. */
  payment: Payment | undefined;
  settings: SpendingSettings;
  /** True if the settings are those that this process remembers. Others may have changed them since. */
  isRemembered: boolean;
  /** Now, on the card's clock. */
  now: Date;
};

/** Largest amount in the billing currency, which a conversion may exceed although the stated amount is within its bounds. */
const MAX_BILLING = 10n ** 18n;

/** Events that change the amount of a payment. */
const CHANGING: ReadonlySet<PaymentEventType> = new Set(['increment', 'advice', 'clearing', 'force_post']);

/** Reports whether an event may refund another payment than the one that it belongs to. */
const mayRefund = ({ type, push }: EventInput, payment: Payment | undefined): boolean => {
  if (!REFUNDING.has(type) || push === true) return false;
  return payment === undefined || (isOfCredits(payment) && payment.relatedPaymentId === undefined);
};

/**
 * Events that credit the account, or take a credit back. They are converted without the mark-up, which is the program's, and rounded down: whoever gets the
 * other currency at its rate would earn what they add. All others are rounded up, reversals too: they release what an authorization of the amount holds.
 */
const CREDITING: ReadonlySet<PaymentEventType> = new Set([...REFUNDING, 'credit']);

type Described = {
  card: Pick<SeenCard, 'accountId' | 'userId' | 'seriesId' | 'network' | 'last4'>;
  paymentId: string;
  now: Date;
};

const factsOf = (input: EventInput, { card, paymentId, now }: Described): PaymentFacts => {
  const { processor, cardId, transactionId, merchant, entryMode, retrievalReference } = input;
  const { accountId, userId, seriesId, network, last4 } = card;
  return {
    ...{
      id: paymentId,
      processor,
      cardId,
      accountId,
      userId,
      last4,
      network: input.network?.network ?? network,
      kind: kindOf(input),
      createdAt: now,
    },
    ...(seriesId === undefined ? {} : { seriesId }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(merchant === undefined ? {} : { merchant }),
    ...(entryMode === undefined ? {} : { entryMode }),
    ...(retrievalReference === undefined ? {} : { retrievalReference }),
  };
};

const onlyOneOf = ([first, ...others]: readonly Payment[]): string | undefined => (others.length === 0 ? first?.id : undefined);

type Billed = Pick<
  PaymentEvent,
  'amount' | 'currency' | 'decimals' | 'billing' | 'cashBack' | 'isEstimate' | 'fx' | 'withoutRate' | 'markup' | 'reference'
>;

/** A part of the stated amount, in the billing currency. */
const cashOf = (part: bigint, { amount = 0n, billing = 0n }: Billed = {}): bigint => (amount === 0n ? 0n : (billing * part) / amount);

const eventOf = (input: EventInput, money: Billed | undefined, now: Date): PaymentEvent => {
  const { eventId, type, transactionId, entryMode, authentication } = input;
  const addressResult = addressResultOf(input.checks ?? {});
  return {
    ...{ id: eventId, type, at: now },
    ...(transactionId === undefined ? {} : { transactionId }),
    ...money,
    ...(input.atm === true ? { atm: true } : {}),
    ...(entryMode === undefined ? {} : { entryMode }),
    ...(input.singleMessage === true ? { singleMessage: true } : {}),
    ...(input.moreExpected === true ? { moreExpected: true } : {}),
    ...(isRequest(type) || input.authorizationCode === undefined ? {} : { authorizationCode: input.authorizationCode }),
    ...(input.undoneRequestId === undefined ? {} : { undoneRequestId: input.undoneRequestId }),
    ...(input.network === undefined ? {} : { network: input.network }),
    ...(addressResult === undefined ? {} : { addressResult }),
    ...(input.type === 'decline' ? declinedElsewhere(input) : {}),
    ...(authentication?.challengeId === undefined ? {} : { challengeId: authentication.challengeId }),
    ...(authentication?.eci === undefined ? {} : { eci: authentication.eci }),
    ...(input.claims === undefined || input.claims.length === 0 ? {} : { claims: input.claims }),
  };
};

/** Returns the error that says that a rate is missing. @throws any other one */
const unlessRateIsMissing = (error: unknown): CodedError => {
  if (error instanceof CodedError && error.code === 'CURRENCY_NOT_SUPPORTED') return error;
  throw error;
};

/** Bills a report without a rate as its payment was approved. @throws what says that the rate is missing, where that does not tell */
const billedAsApproved = ({ money, type }: EventInput, payment: Payment | undefined, missing: CodedError): Billed => {
  if (isRequest(type) || money === undefined || payment === undefined) throw missing;
  const { amount, currency } = money;
  const billing = atApprovedRate(payment, money);
  if (billing === undefined) throw missing;
  return { amount, currency, billing, withoutRate: true };
};

/** Another party has declined in our place. */
const declinedElsewhere = ({ responseCode }: EventInput) => ({
  decision: { decline: 'declined_elsewhere' as const, billing: 0n, amount: 0n, held: 0n },
  ...(responseCode === undefined ? {} : { responseCode }),
});

/**
 * The content that an event has in common with its repeat: the network sends that at another time, and marks it. Which challenge is found by the names of an
 * authentication is not its content.
 */
const contentOf = ({ network, authentication, ...input }: EventInput) => {
  const { names, ...found } = authentication ?? {};
  const presented = authentication && (names === undefined ? found : { ...found, names, challengeId: undefined });
  const content = { ...input, ...(presented === undefined ? {} : { authentication: presented }) };
  if (network === undefined) return content;
  const { repeat: _mark, transmittedAt: _time, ...said } = network;
  return Object.keys(said).length === 0 ? content : { ...content, network: said };
};

/** Reads what an event is about, without writing anything. */
export const createPreparation = ({ cards, payments, claims, book, rates, reference, program, runtime, logger }: PreparationParts) => {
  const seen = createSeenCards();

  /** The reference rate that the conversion of a currency is compared with. */
  const comparedWith = async (currency: string): Promise<Pick<PaymentEvent, 'reference'>> => {
    const found = await reference?.find(currency, program.currency);
    if (found?.date === undefined || found.isOld) return {};
    return { reference: { rate: found.rate, date: found.date } };
  };

  const bill = async ({ amount, currency, decimals, billing }: StatedAmount, { type, eventId }: EventInput): Promise<Billed> => {
    if (currency === program.currency) {
      if (billing !== undefined && billing !== amount) {
        if (isRequest(type))
          throw new CodedError('VALIDATION_FAILED', {
            message: 'amount.billing_amount: must be the amount, which is in the same currency',
          });
        logger.warn({ eventId }, 'a report bills another amount than it states in the same currency: the stated one counts');
      }
      return { amount, currency, billing: amount };
    }
    const unknown = minorUnitDigits(currency) === undefined ? { decimals } : {};
    const compared = await comparedWith(currency);
    if (billing !== undefined) return { amount, currency, ...unknown, billing, ...compared };
    const found = await rates.find(currency, program.currency);
    if (found === undefined || (found.isOld && isRequest(type))) throw new CodedError('CURRENCY_NOT_SUPPORTED');
    const { rate, date } = found;
    const isRoundedDown = CREDITING.has(type);
    const markupBasisPoints = isRoundedDown ? 0 : program.markupBasisPoints;
    const conversion = { rate, from: decimals, to: program.decimals, isRoundedDown };
    const converted = convert(amount, { ...conversion, markupBasisPoints });
    if (converted > MAX_BILLING) {
      throw new CodedError('VALIDATION_FAILED', {
        message: 'amount.amount: must be worth at most 10^18 minor units of the billing currency',
      });
    }
    const markup = converted - convert(amount, { ...conversion, markupBasisPoints: 0 });
    const fx = { rate, markupBasisPoints, ...(date === undefined ? {} : { date }) };
    return { amount, currency, billing: converted, fx, ...(markup === 0n ? {} : { markup }), ...compared };
  };
  const amountOf = async (input: EventInput): Promise<Billed | undefined> => {
    const { money, type, merchant, cashBack } = input;
    if (money === undefined) return undefined;
    const billed = await bill(money, input);
    if (type !== 'authorization') return billed;
    if (isFuelRequest(money, merchant) && (billed.billing ?? 0n) < program.fuelHold) {
      const { amount, currency, decimals } = billed;
      return { amount, currency, ...(decimals === undefined ? {} : { decimals }), billing: program.fuelHold, isEstimate: true } as Billed;
    }
    if (typeRule(program.types, input)?.countsAsCash === true) return { ...billed, cashBack: billed.billing ?? 0n };
    return cashBack === undefined ? billed : { ...billed, cashBack: cashOf(cashBack, billed) };
  };

  /** The whole amount of an event that changes that of a payment which counts as cash. */
  const cashPartOf = (input: EventInput, payment: Payment | undefined, { billing }: PaymentEvent): Pick<PaymentEvent, 'cashBack'> => {
    if (billing === undefined || !CHANGING.has(input.type)) return {};
    return typeRule(program.types, typedAs(payment, input))?.countsAsCash === true ? { cashBack: billing } : {};
  };

  /** The claim about the authentication that the program accepts. */
  const exemptionOf = async (
    input: EventInput,
    { event, payment, accountId }: { event: PaymentEvent; payment: Payment | undefined; accountId: string },
  ): Promise<Pick<PaymentEvent, 'exemption'>> => {
    const { processor, merchant, entryMode, checks = {}, network } = input;
    const { amount, currency, billing = 0n } = event;
    const increased = input.type === 'increment' ? payment : undefined;
    const claims = isRequest(input.type) ? claimsOf(input.claims ?? [], entryMode) : [];
    if (claims.length === 0 && increased === undefined) return {};
    const originalId = needsOriginal(claims) ? network?.originalTransactionId : undefined;
    const originals = originalId === undefined ? [] : await payments.findByTransaction(accountId, originalId);
    const exemption =
      increased === undefined
        ? acceptedClaim(program.exemptions, { claims, processor, total: billing, amount, currency, merchant, entryMode, checks }, originals)
        : claimForIncrease(program.exemptions, increased, usageOf(increased) + billing);
    return exemption === undefined ? {} : { exemption };
  };

  const claimOf = (input: EventInput, paymentId: string): EventClaim => ({
    ...{ id: claimIdOf(input.processor, input.eventId), inputHash: hashInput(contentOf(input)), paymentId, at: runtime.now() },
  });

  /** The claim of the request that a reversal undoes, which may not be recorded yet. @param ofTransaction has it, unless the reversal has a transaction id of its own */
  const undoneBy = async (
    { processor, undoneRequestId }: EventInput,
    ofTransaction: Payment | undefined,
  ): Promise<EventClaim | undefined> => {
    if (undoneRequestId === undefined || ofTransaction?.events.some(({ id }) => id === undoneRequestId) === true) return undefined;
    const claim = await claims.find(claimIdOf(processor, undoneRequestId));
    return claim?.suspended === true ? undefined : claim;
  };

  return {
    claimOf,

    /** The amount of an event in the billing currency, as far as it is known: what the network settles, where there is no rate. */
    billingOf: async (input: EventInput): Promise<bigint | undefined> => {
      try {
        return (await amountOf(input))?.billing;
      } catch (error) {
        if (!(error instanceof CodedError && error.code === 'CURRENCY_NOT_SUPPORTED')) throw error;
        const { settlementAmount, settlementCurrency } = input.network ?? {};
        return settlementAmount !== undefined && settlementCurrency === program.currency ? BigInt(settlementAmount) : undefined;
      }
    },

    /**
     * The parts of an event's claim, as far as it follows from the event and from what never changes of its card.
     * @returns undefined when the card or the payment has to be read first
     * @throws CodedError CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED
     */
    foresee: async (input: EventInput): Promise<ClaimedEvent | undefined> => {
      const { processor, transactionId, cardId, type } = input;
      const card = seen.get(cardId);
      if (card === undefined || transactionId === undefined || mayFollow(type)) return undefined;
      const now = spendingNow(card, runtime.now());
      const paymentId = paymentIdOf(processor, transactionId);
      const event = eventOf(input, await amountOf(input), now);
      return { claim: claimOf(input, paymentId), facts: factsOf(input, { card, paymentId, now }), event };
    },

    /**
     * Reads everything that an event is judged by.
     * @throws CodedError CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED
     */
    prepare: async (input: EventInput, { fromMemory }: ReadingOptions = { fromMemory: false }): Promise<PreparedEvent> => {
      const { processor, eventId, transactionId, cardId } = input;
      const stated = transactionId === undefined ? undefined : paymentIdOf(processor, transactionId);
      const remembered = fromMemory ? book.recall(seen.get(cardId)?.seriesId ?? cardId) : undefined;
      const [card, ofCard, ofTransaction, money] = await Promise.all([
        cards.find(cardId),
        remembered ?? book.look(cardId),
        stated === undefined ? undefined : payments.find(stated),
        amountOf(input).catch(unlessRateIsMissing),
      ]);
      if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
      const isRemembered = remembered !== undefined && remembered.id === seriesOf(card);
      const settings = ofCard.id === seriesOf(card) ? ofCard : await book.look(seriesOf(card));
      seen.put(card, settings);
      const undone = await undoneBy(input, ofTransaction);
      const isUnknown = stated !== undefined && ofTransaction === undefined && undone === undefined;
      const candidates = isUnknown ? await findFollowed({ payments }, input, card) : [];
      const followed = undone?.paymentId ?? onlyOneOf(candidates);
      const isMatched = stated === undefined || (followed === undefined && mayRefund(input, ofTransaction));
      const matches = isMatched ? await findPayments({ payments, cards }, input, card, runtime.now()) : [];
      const matching = onlyOneOf(matches);
      const paymentId = followed ?? stated ?? matching ?? paymentIdOfEvent(processor, eventId);
      const payment = paymentId === stated ? ofTransaction : await payments.find(paymentId);
      const now = spendingNow(settings, runtime.now());
      const uncertain = stated === undefined ? matches : candidates;
      const related = stated === undefined || matching === undefined || matching === paymentId ? {} : { relatedPaymentId: matching };
      const known = undone?.request?.facts;
      const facts = known ?? factsOf(paymentId === stated ? input : { ...input, transactionId: undefined }, { card, paymentId, now });
      const purchaseId = payment?.relatedPaymentId ?? related.relatedPaymentId;
      const purchase = purchaseId === undefined ? undefined : await payments.find(purchaseId);
      const described = eventOf(input, money instanceof CodedError ? billedAsApproved(input, purchase ?? payment, money) : money, now);
      const reported = {
        ...described,
        ...related,
        ...(uncertain.length > 1 ? { candidates: uncertain.map(({ id }) => id) } : {}),
        ...cashPartOf(input, payment, described),
        ...(await exemptionOf(input, { event: described, payment, accountId: card.accountId })),
      };
      const event = purchase === undefined ? reported : billedAsPurchased(purchase, reported);
      return { claim: claimOf(input, paymentId), facts, event, card, payment, settings, isRemembered, now };
    },
  };
};

export type Preparation = ReturnType<typeof createPreparation>;
