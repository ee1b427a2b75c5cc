import type { DeclineCode } from './decline-codes.ts';
import { approvedRequests, eventOf, isUndone, type Payment, withUndone } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent } from './payment-event.ts';
import { holdIdOf } from './payment-ids.ts';

/** Declines that tell that the authentication was not used up. */
const UNUSED: ReadonlySet<DeclineCode | undefined> = new Set(['authentication_required', 'authentication_invalid']);

/** Reports whether a request was declined that may have used up the authentication that it presents. */
const mayHaveUsed = ({ challengeId, decision }: PaymentEvent): boolean =>
  challengeId !== undefined && decision?.decline !== undefined && !UNUSED.has(decision.decline);

/** The authorization whose authentication belongs to the network's approval in our place. */
const presentedBy = (payment: Payment): PaymentEvent | undefined =>
  payment.events.findLast(
    (event) => event.type === 'authorization' && (mayHaveUsed(event) || (event.challengeId !== undefined && isUndone(payment, event.id))),
  );

/** Uses up what a request presents, under the id of the event by which the payment was approved. */
const use = ({ challengeId, amount, currency }: PaymentEvent, requestId: string): NewEffect[] =>
  challengeId === undefined || amount === undefined || currency === undefined
    ? []
    : [{ kind: 'use_authentication', challengeId, requestId, amount, currency }];

/** Reports whether the network has approved the authorization in our place: its advice has opened the hold. */
const stoodIn = ({ id, events, holdId }: Payment): boolean =>
  events.some((event) => event.type === 'advice' && holdIdOf(id, event.id) === holdId);

/**
 * The request whose authentication of the cardholder the payment has used up: the latest approved one, also if it was undone and is cleared nevertheless, or the one that the
 * network has approved in our place.
 */
export const authenticationUsed = (payment: Payment): PaymentEvent | undefined =>
  approvedRequests(payment.cleared > 0n ? withUndone(payment) : payment).findLast(({ challengeId }) => challengeId !== undefined) ??
  (stoodIn(payment) ? presentedBy(payment) : undefined);

/**
 * Effects of an event on the authentications of its payment. An authentication value belongs to one authorization (EMV 3-D Secure): a request that is
 * declined has not used it, and the merchant may present it again; nor has one that the processor reverses because it has not used the answer. An answer that it has only
 * not acknowledged may have been used. An approval that was used up while the request was decided is given back, unless the network has approved the authorization in our place, before
 * or after: then it stays with this payment, or returns to it.
 * @param before the payment without the event
 * @param after the payment with it
 */
export const authenticationEffects = (before: Payment, after: Payment, event: PaymentEvent): NewEffect[] => {
  if (event.type === 'advice') {
    if (before.holdId !== undefined || !stoodIn(after)) return [];
    const presented = presentedBy(before);
    return presented === undefined ? [] : use(presented, event.id);
  }
  if (event.type === 'reversal' && event.undoneRequestId !== undefined && event.isIneffective !== true) {
    const { id: requestId, challengeId, decision } = eventOf(after, event.undoneRequestId) ?? {};
    const used = requestId !== undefined && challengeId !== undefined && decision !== undefined && decision.decline === undefined;
    return used ? [{ kind: 'release_authentication', challengeId, requestId }] : [];
  }
  if (event.challengeId === undefined || !mayHaveUsed(event)) return [];
  if (event.type === 'authorization' && stoodIn(after)) return use(event, event.id);
  return [{ kind: 'release_authentication', challengeId: event.challengeId, requestId: event.id }];
};
