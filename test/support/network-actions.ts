import { FUEL_UNIT } from '@florin/card/testing/payment-model';
import { CorrectionDirection } from '@florin/proto/card/v1/processor_service';
import { type CardNetwork, CORRECT_PIN, euro, type Reference, type SHOP } from './card-network.ts';

/** The fields that requests of the network share. */
export type NetworkRequest = {
  event: Reference & { eventId: string };
  amount: ReturnType<typeof euro>;
  merchant: { [Field in keyof typeof SHOP]?: string };
};

type Decision = { approved: boolean; paymentId: string; authorizationCode: string };

/** `answer` is what a repeat has to return: a decision, a payment, or the id of an exception. */
export type Answered = { approved: boolean; answer: unknown; decision?: Decision | undefined; paymentId?: string | undefined };

const decided = ({ decision }: { decision?: Decision | undefined }): Answered => ({
  ...{ approved: decision?.approved === true, answer: decision, decision, paymentId: decision?.paymentId },
});
/** A payment, as a report returns it. */
export const reported = ({ payment }: { payment?: { id: string } | undefined }): Answered => ({
  approved: true,
  answer: payment,
  paymentId: payment?.id,
});
/** An exception, by which a report of nobody's card is kept. */
export const kept = ({ exceptionId }: { exceptionId: string }): Answered => ({ approved: true, answer: exceptionId });

/** How the network tells of what it does with a payment, by the names of the actions in random tests. */
export const createNetworkActions = ({ processor }: Pick<CardNetwork, 'processor'>) => {
  /** For a card that nobody knows. */
  const unknown = ({ event, ...rest }: NetworkRequest) => ({ ...rest, event: { ...event, cardId: event.eventId } });
  const actions = {
    authorize: async (request) => decided(await processor.authorize(request)),
    fuel: async ({ event, merchant }) =>
      decided(await processor.authorize({ event, amount: euro(FUEL_UNIT), merchant: { ...merchant, categoryCode: '5542' } })),
    withdraw: async (request) => decided(await processor.authorize({ ...request, atm: true, singleMessage: true, checks: CORRECT_PIN })),
    askCredit: async (request) => decided(await processor.authorizeCredit(request)),
    increment: async ({ event, amount }) => decided(await processor.increment({ event, amount })),
    verify: async ({ event, merchant }) => decided(await processor.verify({ event, merchant })),
    inquire: async ({ event, merchant }) => decided(await processor.inquireBalance({ event, merchant, checks: CORRECT_PIN })),
    declineElsewhere: async (request) => reported(await processor.reportDecline({ ...request, responseCode: '05' })),
    advise: async (request) => reported(await processor.advise(request)),
    standIn: async (request) => reported(await processor.advise({ ...request, singleMessage: true })),
    clear: async (request) => reported(await processor.clear(request)),
    clearPart: async (request) => reported(await processor.clear({ ...request, moreExpected: true })),
    forcePost: async (request) => reported(await processor.clear({ ...request, forcePost: true })),
    present: async (request) => reported(await processor.clear({ ...request, secondPresentment: true })),
    clearUnknown: async (request) => kept(await processor.clear(unknown(request))),
    reverse: async ({ event }) => reported(await processor.reverse({ event })),
    reversePart: async ({ event, amount }) => reported(await processor.reverse({ event, amount })),
    expire: async ({ event }) => reported(await processor.expire({ event })),
    refund: async (request) => reported(await processor.refund(request)),
    refundUnknown: async (request) => kept(await processor.refund(unknown(request))),
    reverseRefund: async (request) => reported(await processor.reverseRefund(request)),
    credit: async (request) => reported(await processor.credit(request)),
    announce: async (request) => reported(await processor.announceCredit(request)),
    reverseAnnounced: async ({ event, amount }) => reported(await processor.reverseAnnouncedCredit({ event, amount })),
    correctDebit: async (request) => reported(await processor.correct({ ...request, direction: CorrectionDirection.DEBIT })),
    correctCredit: async (request) => reported(await processor.correct({ ...request, direction: CorrectionDirection.CREDIT })),
  } satisfies Record<string, (request: NetworkRequest) => Promise<Answered>>;
  return {
    ...actions,
    /** Undoes a request whose answer was not used. */
    undoRequest: async (event: Reference, requestEventId: string) => reported(await processor.reverse({ event, requestEventId })),
  };
};

export type NetworkActions = ReturnType<typeof createNetworkActions>;

/** A number of the network that belongs to no other id. */
export const digitsOf = (id: string, length: number): string =>
  BigInt(`0x${id.replaceAll('-', '')}`)
    .toString()
    .slice(-length)
    .padStart(length, '0');
