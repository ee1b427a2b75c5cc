import type { Runtime } from '@florin/rpc/runtime';
import type { DeclineCode } from '../domain/decline-codes.ts';
import { lowest } from '../domain/limits.ts';
import { isCash, type Payment, usageOf } from '../domain/payment.ts';
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
import type { RequestAuthentication } from '../domain/unauthenticated.ts';
import { usagesOf } from '../domain/usages.ts';
import type { PreparedEvent } from './prepare-event.ts';
import type { SpendingBook } from './spending-book.ts';

type SpentPayment = Pick<Payment, 'cardId' | 'seriesId' | 'accountId'>;

/** The key of a payment in the limits, or a request as the authorization of one. */
const keyOf = (payment: Pick<Payment, 'id' | 'kind' | 'atm'>) => ({ paymentId: payment.id, atm: isCash(payment) });

const eventsOf = ({ events }: Payment): PaymentEvents => new Map(events.map(({ id, decision }) => [id, decision?.billing ?? 0n]));

/** Keeps what payments count against the limits of their card and, where the program has such limits, of their account. */
export const createReservations = ({ book, program, runtime }: { book: SpendingBook; program: Program; runtime: Pick<Runtime, 'now'> }) => {
  const hasAccountLimits = Object.keys(program.accountLimits).length > 0;

  const documentsOf = ({ cardId, seriesId = cardId, accountId }: SpentPayment): string[] =>
    hasAccountLimits ? [seriesId, accountDocument(accountId)] : [seriesId];

  const settleOf = (payment: Payment) => {
    const { revision } = payment;
    const { cashBack = 0n } = payment;
    const counted = { ...keyOf(payment), revision, cashBack, usages: usagesOf(payment), events: eventsOf(payment) };
    return (spending: Spending): Spending => settle(spending, counted, runtime.now());
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
      const ofCardholder = counting && { ofRequest: counting, limits: program.unauthenticated };
      const key = keyOf(increased ?? facts);
      const cash = event.cashBack === undefined ? {} : { cash: event.cashBack };
      const reservation = { eventId: event.id, claimId: claim.id, amount, ...cash, at: runtime.now() };
      const seriesId = facts.seriesId ?? facts.cardId;
      const isOutdated = (spending: Spending): boolean => isRemembered && spending.id === seriesId && !judgesAlike(spending, settings);
      const reserveIn = (
        id: string,
        limitsOf: (spending: Spending) => Spending['limits'],
        more: Pick<ReservationRules, 'counts' | 'authentication'>,
      ) =>
        book.change<DeclineCode | 'outdated' | undefined>(id, (spending) => {
          if (isOutdated(spending)) return { spending, result: 'outdated' };
          const reserved = reserve(spending, key, reservation, { ...more, limits: limitsOf(spending), increased: ofPayment, now });
          return typeof reserved === 'string' ? { spending, result: reserved } : { spending: reserved, result: undefined };
        });
      // At the same time: what one of them has reserved is given back with the decline.
      const [ofCard, ofAccount] = await Promise.all([
        reserveIn(seriesId, ({ limits }) => lowest(limits, program.limits), { counts: program.counts, authentication: ofCardholder }),
        hasAccountLimits ? reserveIn(accountDocument(facts.accountId), () => program.accountLimits, { counts: {} }) : undefined,
      ]);
      return ofCard ?? (ofAccount === undefined ? undefined : ('account_limit_exceeded' satisfies DeclineCode));
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
