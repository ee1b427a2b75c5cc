import type { AuthenticationsClient } from '../clients/authentications.ts';
import { checkRequest, needsAuthentication, unauthenticatedUntil } from '../domain/check-request.ts';
import type { DeclineCode } from '../domain/decline-codes.ts';
import { approvedIn, authenticationOf, decidedRequests, isCash, type Payment } from '../domain/payment.ts';
import { takesMoney } from '../domain/payment-event.ts';
import type { Program } from '../domain/program.ts';
import { uncleared } from '../domain/record-event.ts';
import { authenticationOfRequest, isRemote } from '../domain/unauthenticated.ts';
import type { VerdictSource } from './ask-decider.ts';
import type { Deadline } from './deadline.ts';
import type { RequestInput } from './event-input.ts';
import type { PreparedEvent } from './prepare-event.ts';
import type { LimitReservations } from './reservations.ts';

export type JudgingParts = {
  reservations: LimitReservations;
  askDecider: VerdictSource;
  authentications: AuthenticationsClient;
  program: Program;
};

/** Judges requests up to the hold, in the documented order; until then a request may fail without a trace at the ledger. */
export const createJudging = ({ reservations, askDecider, authentications, program }: JudgingParts) => {
  /**
   * Uses the authentication up that a request presents. An increment has to be covered together with what was approved before, by an authentication of
   * its own or by that of its payment.
   */
  const checkAuthentication = async (
    { event, facts, payment }: PreparedEvent,
    increased: Payment | undefined,
    deadline: Deadline,
  ): Promise<DeclineCode | undefined> => {
    const { challengeId = increased && authenticationOf(increased), amount = 0n, currency = '' } = event;
    if (challengeId === undefined) return undefined;
    // A verification asks for nothing.
    const before = increased === undefined ? 0n : approvedIn(increased, currency);
    if (before === undefined) return 'authentication_required';
    const merchantId = (increased ?? facts).merchant?.id ?? '';
    const use = { challengeId, paymentId: facts.id, requestId: event.id, amount, currency };
    const decided = { approvedBefore: before, decidedRequestIds: payment === undefined ? [] : decidedRequests(payment) };
    const presented = { ...use, ...decided, cardId: facts.cardId, merchantId };
    if (await deadline.bound(authentications.consume(presented, deadline.remainingMs()))) return undefined;
    return event.challengeId === undefined ? 'authentication_required' : 'authentication_invalid';
  };

  /**
   * @returns why a request is declined; undefined when nothing but the ledger speaks against it. `outdated`: it was judged by remembered settings, and
   * may be judged otherwise by those that are stored
   */
  return async (prepared: PreparedEvent, input: RequestInput, deadline: Deadline): Promise<DeclineCode | 'outdated' | undefined> => {
    const { card, event, payment, settings, isRemembered, now } = prepared;
    const { type } = input;
    const increased = type === 'increment' ? payment : undefined;
    const request = {
      type,
      merchant: input.merchant,
      network: input.network,
      push: input.push,
      entryMode: input.entryMode,
      atm: input.atm === true,
      billing: event.billing ?? 0n,
      cashBack: input.cashBack === undefined ? 0n : (event.cashBack ?? 0n),
      checks: input.checks ?? {},
      authenticated:
        event.challengeId !== undefined ||
        event.exemption !== undefined ||
        (increased !== undefined && authenticationOf(increased) !== undefined),
    };
    const early = checkRequest(request, { card, payment, controls: settings.controls, program, now });
    if (early !== undefined) return isRemembered ? 'outdated' : early;
    if (!takesMoney(event)) return checkAuthentication(prepared, undefined, deadline);
    const covered = increased !== undefined && authenticationOf(increased) !== undefined && event.exemption === undefined;
    const presents = event.challengeId !== undefined || (covered && needsAuthentication(program, request, increased));
    const unauthenticated = presents ? await checkAuthentication(prepared, increased, deadline) : undefined;
    if (unauthenticated !== undefined) return unauthenticated;
    const counted = type === 'authorization' && payment !== undefined ? uncleared(payment, event.billing ?? 0n) : (event.billing ?? 0n);
    const { exemption } = event;
    const charged = { ...request, exemption, ...(increased && { entryMode: increased.entryMode, atm: isCash(increased) }) };
    // Nobody is at the terminal when a merchant increases a payment: there is no contactless payment to be authenticated.
    const authentication = increased !== undefined && !isRemote(charged) ? undefined : authenticationOfRequest(charged, presents);
    const authenticationFrom = presents ? undefined : unauthenticatedUntil(program, charged);
    const reserved = reservations.reserve(prepared, { amount: counted, authentication, authenticationFrom });
    return (await deadline.bound(reserved)) ?? askDecider(prepared, input, deadline);
  };
};

export type Judging = ReturnType<typeof createJudging>;
