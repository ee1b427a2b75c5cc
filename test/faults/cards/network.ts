import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DisputeStage } from '@florin/proto/card/v1/payment';
import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';
import { type CardNetwork, euro, SHOP } from '../../support/card-network.ts';
import { createNetworkActions, digitsOf, kept } from '../../support/network-actions.ts';

/** The program's hold for a pump that does not know the amount, in cents. */
export const FUEL_HOLD = 10_000;

const GIVE_UP_AFTER_MS = 90_000;
const PAUSE_MS = 150;

/** Errors that leave the outcome open: the event is sent again, with the same id and content. */
const OPEN: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'INTERNAL_ERROR', 'RATE_LIMITED']);

const isOpen = (error: unknown): boolean => error instanceof CodedError && OPEN.has(error.code);

export type Action =
  | ('authorize' | 'withdraw' | 'increment' | 'advise' | 'clear' | 'clearPart' | 'forcePost' | 'reverse' | 'reversePart' | 'expire')
  | ('refund' | 'reverseRefund' | 'credit' | 'announce' | 'reverseAnnounced' | 'correctDebit' | 'correctCredit')
  | ('fuel' | 'askCredit' | 'verify' | 'inquire' | 'declineElsewhere' | 'standIn' | 'clearUnknown' | 'refundUnknown')
  | ('undo' | 'undoIncrease' | 'presentAgain' | 'standInUnknown' | 'reverseUnknown')
  | ('dispute' | 'chargeBack' | 'present' | 'win' | 'lose' | 'giveUp');

export type SentEvent = {
  action: Action;
  eventId: string;
  amount: number;
  challengeId?: string;
  /** True under a transaction id of its own: the network's id of the transaction names the payment. */
  isOwn?: boolean;
  answer: unknown;
};

/** The events of one payment in the order in which the network sent them, each after the answer to the one before. */
export type SentPayment = {
  cardId: string;
  transactionId: string;
  /** Of the record; empty until something was answered that has it. */
  paymentId: string;
  /** Of a refund under a transaction id of its own: the code of the payment that it refunds. */
  authorizationCode?: string;
  events: SentEvent[];
  abandoned: boolean;
};

type Outcome = { approved: boolean; answer: unknown };

/** The latest request of these kinds before an event, which may have been answered already. */
const requestBefore = (events: readonly SentEvent[], { eventId }: Pick<SentEvent, 'eventId'>, ...actions: readonly Action[]): string => {
  const at = events.findIndex((event) => event.eventId === eventId);
  return events.slice(0, at === -1 ? undefined : at).findLast(({ action }) => actions.includes(action))?.eventId ?? '';
};

const acquirerReferenceOf = (eventId: string): string => digitsOf(eventId, 23);

/** The processor's side of the network: it repeats an event until it has an answer, or gives an authorization up after one attempt. */
export const createFaultNetwork = ({ processor, payments }: Pick<CardNetwork, 'processor' | 'payments'>) => {
  const actions = createNetworkActions({ processor });
  const unanswered = new Map<string, string>();
  let repeats = 0;
  let answered = 0;

  /** Takes a step of the payment's dispute. A repeat returns the payment as it is by then. */
  const advance = async (paymentId: string, eventId: string, stage: DisputeStage): Promise<Outcome> => {
    await payments.advanceDispute({ paymentId, eventId, stage });
    return { approved: true, answer: undefined };
  };

  const sendOnce = async (
    { cardId, transactionId, paymentId, authorizationCode = '', events }: SentPayment,
    event: Omit<SentEvent, 'answer'>,
  ): Promise<Outcome> => {
    const ofNetwork = { transactionId: digitsOf(transactionId, 15) };
    const transaction = event.isOwn === true ? `${event.eventId}-own` : transactionId;
    const reference = { eventId: event.eventId, transactionId: transaction, cardId, authorizationCode, network: ofNetwork };
    const request = { event: reference, amount: euro(event.amount), merchant: SHOP };
    const ofUnknown = { ...request, event: { ...reference, cardId: transactionId } };
    switch (event.action) {
      case 'authorize': {
        const authentication = event.challengeId === undefined ? {} : { authentication: { challengeId: event.challengeId } };
        return actions.authorize({ ...request, ...authentication });
      }
      case 'declineElsewhere':
        return { ...(await actions.declineElsewhere(request)), approved: false };
      case 'dispute':
        await payments.disputePayment({ paymentId, requestId: event.eventId, reason: 'other' });
        return { approved: true, answer: undefined };
      case 'chargeBack':
        return advance(paymentId, event.eventId, DisputeStage.CHARGEBACK);
      case 'win':
        return advance(paymentId, event.eventId, DisputeStage.WON);
      case 'lose':
        return advance(paymentId, event.eventId, DisputeStage.LOST);
      case 'giveUp':
        return advance(paymentId, event.eventId, DisputeStage.WITHDRAWN);
      case 'clear': {
        const network = { ...ofNetwork, acquirerReference: acquirerReferenceOf(event.eventId) };
        return actions.clear({ ...request, event: { ...reference, network } });
      }
      case 'presentAgain': {
        const network = { acquirerReference: acquirerReferenceOf(requestBefore(events, event, 'clear')) };
        return actions.clear({ ...request, event: { eventId: event.eventId, transactionId: `${event.eventId}-again`, cardId, network } });
      }
      case 'undo':
        return actions.undoRequest(reference, requestBefore(events, event, 'authorize', 'withdraw'));
      case 'undoIncrease':
        return actions.undoRequest(reference, requestBefore(events, event, 'increment'));
      case 'standInUnknown':
        return kept(await processor.advise({ ...ofUnknown, singleMessage: true }));
      case 'reverseUnknown':
        return kept(await processor.reverse({ event: ofUnknown.event, amount: request.amount }));
      default:
        return actions[event.action](request);
    }
  };

  const sendUntilAnswered = async (payment: SentPayment, event: Omit<SentEvent, 'answer'>): Promise<Outcome> => {
    const end = Date.now() + GIVE_UP_AFTER_MS;
    const { action, eventId } = event;
    unanswered.set(eventId, `${action} ${eventId}: no answer`);
    try {
      for (;;) {
        try {
          return await sendOnce(payment, event);
        } catch (error) {
          if (!isOpen(error) || Date.now() > end) throw error;
          unanswered.set(eventId, `${action} ${eventId}: ${error instanceof Error ? error.message : String(error)}`);
          repeats += 1;
          await pause(PAUSE_MS);
        }
      }
    } finally {
      unanswered.delete(eventId);
    }
  };

  return {
    repeats: () => repeats,
    /** The events that wait for an answer, each with the last error. */
    unanswered: () => [...unanswered.values()],
    /** Events that were answered so far. */
    answered: () => answered,

    newPayment: (cardId: string): SentPayment => ({
      ...{ cardId, transactionId: randomUUID(), paymentId: '', events: [], abandoned: false },
    }),

    /** Sends an event until it is answered. @returns whether it was approved */
    send: async (
      payment: SentPayment,
      action: Action,
      amount: number,
      more: Pick<SentEvent, 'challengeId' | 'isOwn'> = {},
    ): Promise<boolean> => {
      const event = { action, eventId: randomUUID(), amount, ...more };
      const { approved, answer } = await sendUntilAnswered(payment, event);
      payment.events.push({ ...event, answer });
      payment.paymentId ||= (answer as { paymentId?: string } | undefined)?.paymentId ?? '';
      answered += 1;
      return approved;
    },

    /** Sends an authorization once, and never asks for its outcome. */
    sendAndForget: async (payment: SentPayment, amount: number): Promise<void> => {
      payment.abandoned = true;
      await sendOnce(payment, { action: 'authorize', eventId: randomUUID(), amount }).catch((error: unknown) => {
        if (!isOpen(error)) throw error;
      });
    },

    /** Sends every answered event again. @returns a line for each whose answer is another one now */
    repeatAll: async (payment: SentPayment): Promise<string[]> => {
      const problems: string[] = [];
      for (const event of payment.events) {
        const { answer } = await sendUntilAnswered(payment, event);
        if (!isDeepStrictEqual(answer, event.answer))
          problems.push(`${event.action} ${event.eventId} has another answer when it is repeated`);
      }
      return problems;
    },
  };
};

export type FaultNetwork = ReturnType<typeof createFaultNetwork>;
