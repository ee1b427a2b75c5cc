import type { Runtime } from '@florin/rpc/runtime';
import { isUnattended } from '../domain/authentication-claims.ts';
import { authenticationUsed } from '../domain/authentication-effects.ts';
import type { DeclineCode } from '../domain/decline-codes.ts';
import { lowest } from '../domain/limits.ts';
import { isCash, type Payment, usageOf } from '../domain/payment.ts';
import { isDeclined, type PaymentEvent, type PaymentEventType, takesMoney } from '../domain/payment-event.ts';
import type { Program } from '../domain/program.ts';
import {
  accountDocument,
  judgesAlike,
  type PaymentEvents,
  type ReservationRules,
  release,
  reserve,
  type Spending,
  settle,
} from '../domain/spending.ts';
import { type ApprovedElsewhere, authenticationOfRequest, type RequestAuthentication } from '../domain/unauthenticated.ts';
import { usagesOf } from '../domain/usages.ts';
import type { PreparedEvent } from './prepare-event.ts';
import type { SpendingBook } from './spending-book.ts';

type SpentPayment = Pick<Payment, 'cardId' | 'seriesId' | 'accountId'>;

/** The key of a payment in the limits, or a request as the authorization of one. */
const keyOf = (payment: Pick<Payment, 'id' | 'kind' | 'atm'>) => ({ paymentId: payment.id, atm: isCash(payment) });

const eventsOf = ({ events }: Payment): PaymentEvents => new Map(events.map(({ id, decision }) => [id, decision?.billing ?? 0n]));

/** Reports by which a payment is approved elsewhere: by the network in our place, or by the terminal, offline or without asking. */
const APPROVING: ReadonlySet<PaymentEventType> = new Set(['advice', 'clearing', 'force_post']);

/** Reports whether an event approves a payment, here or elsewhere. */
const isApproved = (event: PaymentEvent): boolean => APPROVING.has(event.type) || (takesMoney(event) && !isDeclined(event));

/**
 * Reports whether what was cleared without an authorization counts. Many clients cannot state the entry mode of a clearing, which does not count without one; nor do fares and
 * what merchants initiate, whose clearings cannot claim what their authorizations can.
 */
const countsAsCleared = ({ entryMode, merchant }: Payment): boolean =>
  entryMode !== undefined && entryMode !== 'merchant_initiated' && !isUnattended({ entryMode, merchant });

/** The report by which a payment was approved of which no request was approved before. */
const approvedElsewhere = (payment: Payment): ApprovedElsewhere | undefined => {
  const { events, entryMode } = payment;
  const at = events.findIndex(isApproved);
  const report = events[at];
  const presents = authenticationUsed(payment) !== undefined;
  const authentication = authenticationOfRequest({ entryMode, atm: isCash(payment), checks: {} }, presents);
  if (report === undefined || !APPROVING.has(report.type) || authentication === undefined) return undefined;
  // The payments that it may belong to have counted it.
  if (report.candidates !== undefined) return undefined;
  if (report.type !== 'advice' && !countsAsCleared(payment)) return undefined;
  return { revision: at + 1, at: report.at, amount: report.billing ?? 0n, authentication };
};

/** Usage of a payment: each approved authorization begins it, or the report that has approved it before any; everything else adds to it. */
const countedOf = (payment: Payment) => {
  const isPurchase = payment.events.some(isApproved);
  const authorizations = payment.events.filter((event) => event.type === 'authorization' && isApproved(event));
  const authorized = new Set(authorizations.map(({ at }) => at.getTime()));
  return usagesOf(payment).map((usage, index) => {
    const begins = index === 0 ? isPurchase : authorized.has(usage.at.getTime());
    return begins ? usage : { ...usage, increase: true as const };
  });
};

/** Declines of an account that are not about a limit of its own. */
const OF_AUTHENTICATION: ReadonlySet<DeclineCode> = new Set(['authentication_required', 'contactless_limit_exceeded']);

/**
 * Keeps what payments count against the limits of their card and, where the program has such limits, of their account. Payments without an authentication count in
 * both: several cards have one row together, and what authenticates with one of them does not begin that of another anew.
 */
export const createReservations = ({ book, program, runtime }: { book: SpendingBook; program: Program; runtime: Pick<Runtime, 'now'> }) => {
  const { accountLimits, unauthenticated } = program;
  const hasAccountLimits = [accountLimits, unauthenticated].some((limits) => Object.keys(limits).length > 0);

  const documentsOf = ({ cardId, seriesId = cardId, accountId }: SpentPayment): string[] =>
    hasAccountLimits ? [seriesId, accountDocument(accountId)] : [seriesId];

  const settleOf = (payment: Payment) => {
    const { revision } = payment;
    const { cashBack = 0n } = payment;
    const counted = { ...keyOf(payment), revision, cashBack, usages: countedOf(payment), events: eventsOf(payment) };
    const elsewhere = approvedElsewhere(payment);
    return (spending: Spending): Spending => settle(spending, { ...counted, approvedElsewhere: elsewhere }, runtime.now());
  };

  return {
    /**
     * Reserves what a request would hold. It counts as of now, whatever its payment has counted before.
     * @param authentication whether the request has an authentication of the cardholder that covers it, where that counts
     * @param authenticationFrom what an increased payment may not amount to without one
     * @returns why the request is declined; undefined when the amount is reserved; `outdated` when the settings that are stored are not those that the
     * request was judged by: nothing is reserved
     */
    reserve: async (
      { facts, event, claim, payment, settings, isRemembered, now }: PreparedEvent,
      {
        amount,
        authentication,
        authenticationFrom,
      }: { amount: bigint; authentication: RequestAuthentication | undefined; authenticationFrom?: bigint | undefined },
    ): Promise<DeclineCode | 'outdated' | undefined> => {
      const increased = event.type === 'increment' ? payment : undefined;
      const isUnauthenticated = authentication?.isAuthenticated === false;
      const ofPayment = increased && { usage: usageOf(increased), events: eventsOf(increased), authenticationFrom };
      // An increase that is covered is no further authentication.
      const counting = increased === undefined || isUnauthenticated ? authentication : undefined;
      const ofCardholder = counting && {
        ...{ ofRequest: counting, limits: program.unauthenticated },
        isEstimate: event.isEstimate === true,
      };
      const key = keyOf(increased ?? facts);
      const cash = event.cashBack === undefined ? {} : { cash: event.cashBack };
      const reservation = { eventId: event.id, claimId: claim.id, amount, ...cash, at: runtime.now() };
      const seriesId = facts.seriesId ?? facts.cardId;
      const isOutdated = (spending: Spending): boolean => isRemembered && spending.id === seriesId && !judgesAlike(spending, settings);
      const reserveIn = (id: string, limitsOf: (spending: Spending) => Spending['limits'], counts: ReservationRules['counts']) =>
        book.change<DeclineCode | 'outdated' | undefined>(id, (spending) => {
          if (isOutdated(spending)) return { spending, result: 'outdated' };
          const reserved = reserve(spending, key, reservation, {
            ...{ limits: limitsOf(spending), counts, increased: ofPayment, authentication: ofCardholder, now },
          });
          return typeof reserved === 'string' ? { spending, result: reserved } : { spending: reserved, result: undefined };
        });
      // At the same time: what one of them has reserved is given back with the decline.
      const [ofCard, ofAccount] = await Promise.all([
        reserveIn(seriesId, ({ limits }) => lowest(limits, program.limits), program.counts),
        hasAccountLimits ? reserveIn(accountDocument(facts.accountId), () => accountLimits, {}) : undefined,
      ]);
      if (ofCard !== undefined || ofAccount === undefined || ofAccount === 'outdated') return ofCard ?? ofAccount;
      return OF_AUTHENTICATION.has(ofAccount) ? ofAccount : 'account_limit_exceeded';
    },

    /** Gives back what a declined request has reserved. */
    release: async (payment: Payment, eventId: string): Promise<void> => {
      for (const id of documentsOf(payment)) {
        await book.change(id, (spending) => ({ spending: release(spending, keyOf(payment), eventId), result: undefined }));
      }
    },

    /** Takes over what a payment counts. */
    settle: async (payment: Payment): Promise<void> => {
      const change = settleOf(payment);
      for (const id of documentsOf(payment)) await book.change(id, (spending) => ({ spending: change(spending), result: undefined }));
    },

    /** The same for several payments of one spending document, in one write. */
    settleAll: async (documentId: string, settled: readonly Payment[]): Promise<void> => {
      const changes = settled.map(settleOf);
      await book.change(documentId, (spending) => ({
        spending: changes.reduce((before, change) => change(before), spending),
        result: undefined,
      }));
    },

    /** The same with the next write of the documents: for an approval, whose reservation counts as much as the payment. */
    settleLater: (payment: Payment): void => {
      for (const id of documentsOf(payment)) book.defer(id, settleOf(payment));
    },
  };
};

export type LimitReservations = ReturnType<typeof createReservations>;
