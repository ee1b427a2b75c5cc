import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { APPROVAL_ERRORS, APPROVAL_STATUS, APPROVAL_TIMEOUT_MS, approvalQuery } from '../../schemas/approval.ts';
import { atLeastOne } from '../../schemas/at-least-one.ts';
import { card, cardColour, cardName, cardStatus, toCard, toWireCardColour, toWireCardStatus } from '../../schemas/card.ts';
import { cardTransactionDetail, toCardTransactionDetail } from '../../schemas/card-transaction.ts';
import { amount, id, phone, present } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import {
  cardControls,
  cardLimits,
  changedCardControls,
  newCardControls,
  toCardLimits,
  toControls,
  toWireControls,
} from '../../schemas/spending.ts';
import { displayed, text } from '../../schemas/text.ts';
import { cardAction } from './card-action.ts';

/** The card service calls the ledger and then the card processor, each with a deadline of its own. */
const TIMEOUT_MS = 8000;

export const createVirtualCard = defineRoute({
  operationId: 'createVirtualCard',
  method: 'post',
  path: '/cards/virtual',
  tag: 'Cards',
  summary: 'Create Virtual Card',
  description:
    'Issues a virtual card for online payments. The first card creates the cardholder and requires a phone number; where the operator requires verified numbers it returns `PHONE_NOT_VERIFIED` until `PATCH /phone` has verified it (guide Cards). A user can have five live cards. For a further card the session must be younger than five minutes; otherwise sign in again.',
  policy: 'user',
  ignoresUnknownFields: true,
  body: z.object({
    cardName,
    phone: phone.optional().meta({ description: 'Phone number of the cardholder; required for the first card' }),
  }),
  answers: { 200: z.object({ cardId: id }) },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'PHONE_REQUIRED',
    'PHONE_NOT_VERIFIED',
    'CARD_LIMIT_REACHED',
    'CARD_ORDER_LIMIT_REACHED',
    'ACCOUNT_NOT_ACTIVE',
    'CARD_ISSUING_FAILED',
  ],
  handler: async ({ body: { cardName: name, phone: number = '' } }, { upstream, asCaller, requestKey }) => {
    const order = { requestId: requestKey, cardName: name, phone: number };
    const { card } = await upstream.cards.createVirtualCard(order, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return { cardId: present(card, 'card').id };
  },
});

export const listCards = defineRoute({
  operationId: 'listCards',
  method: 'get',
  path: '/cards',
  tag: 'Cards',
  summary: 'List cards',
  description: "Returns the caller's cards, newest first.",
  policy: 'user',
  query: pageQuery.extend({ status: cardStatus.optional() }),
  answers: { 200: z.object({ data: z.array(card), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { cards, page } = await upstream.cards.listCards(
      { status: toWireCardStatus(query.status), page: toPageRequest(query) },
      asCaller,
    );
    return { data: cards.map(toCard), pagination: toPagination(page) };
  },
});

export const getCardTransaction = defineRoute({
  operationId: 'getCardTransaction',
  method: 'get',
  path: '/cards/transactions/{transactionId}',
  tag: 'Cards',
  summary: 'Get a card transaction',
  description: 'Returns one of the card transactions of the caller, with its events and ledger entries.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  answers: { 200: cardTransactionDetail },
  errors: ['PAYMENT_NOT_FOUND'],
  handler: async ({ params: { transactionId } }, { upstream, asCaller }) =>
    toCardTransactionDetail((await upstream.cardPayments.getPayment({ paymentId: transactionId }, asCaller)).payment),
});

export const setCardTransactionNote = defineRoute({
  operationId: 'setCardTransactionNote',
  method: 'put',
  path: '/cards/transactions/{transactionId}/note',
  tag: 'Cards',
  summary: 'Note something on a card transaction',
  description: "Replaces the cardholder's own note; an empty one removes it. Nobody else reads it, and an erasure of the user removes it.",
  policy: 'user',
  params: z.object({ transactionId: id }),
  body: z.object({
    note: text({ min: 0, max: 280, pattern: /^\P{Cc}*$/u, problem: 'must be one line without control characters' }),
  }),
  answers: { 200: cardTransactionDetail },
  errors: ['PAYMENT_NOT_FOUND'],
  handler: async ({ params: { transactionId }, body: { note } }, { upstream, asCaller }) =>
    toCardTransactionDetail((await upstream.cardPayments.setPaymentNote({ paymentId: transactionId, note }, asCaller)).payment),
});

export const disputeCardTransaction = defineRoute({
  operationId: 'disputeCardTransaction',
  method: 'post',
  path: '/cards/transactions/{transactionId}/dispute',
  tag: 'Cards',
  summary: 'Dispute a card transaction',
  description:
    'Disputes what was cleared and has been neither refunded nor disputed, in part or whole. The program may credit it provisionally; the credit is taken back if the dispute is lost. The reason `fraud` blocks the card for good, which `cardBlocked` says: it can be replaced.',
  policy: 'user',
  params: z.object({ transactionId: id }),
  body: z.object({
    reason: z.enum(['fraud', 'not_received', 'not_as_described', 'duplicate', 'cancelled', 'other']),
    amount: z
      .string()
      .regex(/^[1-9][0-9]{0,14}$/, 'must be a positive integer in the minor unit')
      .optional()
      .meta({ description: "Disputed amount, in the minor unit of the card's currency. Default: everything that can be disputed" }),
    text: displayed(500).optional().meta({ description: "The cardholder's words" }),
  }),
  answers: { 200: z.object({ id, status: z.string(), amount, cardBlocked: z.boolean() }) },
  errors: ['PAYMENT_NOT_FOUND', 'DISPUTE_NOT_AVAILABLE'],
  handler: async ({ params: { transactionId }, body: { reason, text = '', amount: part = '' } }, { upstream, asCaller, requestKey }) => {
    const request = { paymentId: transactionId, requestId: requestKey, reason, text, amount: part };
    const dispute = present((await upstream.cardPayments.disputePayment(request, asCaller)).payment?.dispute, 'the dispute');
    return { id: dispute.id, status: dispute.status, amount: dispute.amount, cardBlocked: dispute.cardBlocked };
  },
});

export const getCard = defineRoute({
  operationId: 'getCard',
  method: 'get',
  path: '/cards/{cardId}',
  tag: 'Cards',
  summary: 'One of the cards of the caller',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: card },
  errors: ['CARD_NOT_FOUND'],
  handler: async ({ params: { cardId } }, { upstream, asCaller }) => {
    const found = await upstream.cards.getCard({ cardId }, asCaller);
    return toCard(present(found.card, 'the card'));
  },
});

export const renameCard = defineRoute({
  operationId: 'renameCard',
  method: 'patch',
  path: '/cards/{cardId}',
  tag: 'Cards',
  summary: 'Rename a card',
  description: 'Gives a live card another name, another colour, or both.',
  policy: 'user',
  params: z.object({ cardId: id }),
  body: z
    .object({
      cardName: cardName.optional(),
      name: cardName.optional().meta({ description: 'The same as `cardName`, which takes precedence', deprecated: true }),
      colour: cardColour.optional(),
    })
    .refine(({ cardName: given, name, colour }) => given !== undefined || name !== undefined || colour !== undefined, {
      path: ['cardName'],
      message: 'is required',
    })
    .meta(atLeastOne('cardName', 'name', 'colour')),
  answers: { 200: card },
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT'],
  handler: async ({ params: { cardId }, body }, { upstream, asCaller, requestKey }) => {
    const name = body.cardName ?? body.name ?? '';
    const request = { cardId, name, colour: toWireCardColour(body.colour), requestId: requestKey };
    const renamed = await upstream.cards.renameCard(request, asCaller);
    return toCard(present(renamed.card, 'the card'));
  },
});

export const freezeCard = cardAction({
  operationId: 'freezeCard',
  action: 'freeze',
  summary: 'Freeze a card',
  description: 'The card declines payments until it is unfrozen. A frozen card is returned unchanged.',
  errors: [],
  call: (cards, request, options) => cards.freezeCard(request, options),
});

export const unfreezeCard = defineRoute({
  operationId: 'unfreezeCard',
  method: 'post',
  path: '/cards/{cardId}/unfreeze',
  tag: 'Cards',
  summary: 'Unfreeze a card',
  description:
    "Lifts the caller's freeze. A freeze by the issuer cannot be lifted. The session must be younger than five minutes; otherwise sign in again. A wallet signs the typed data of `POST /cards/{cardId}/unfreeze/challenge`.",
  policy: 'user',
  params: z.object({ cardId: id }),
  query: approvalQuery,
  answers: { 200: card },
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT', ...APPROVAL_ERRORS, 'FROZEN_BY_ISSUER'],
  statusOf: APPROVAL_STATUS,
  handler: async ({ params: { cardId }, query: { approval = '' } }, { upstream, asCaller, requestKey }) => {
    const request = { cardId, requestId: requestKey, approval };
    const changed = await upstream.cards.unfreezeCard(request, { ...asCaller, timeoutMs: APPROVAL_TIMEOUT_MS });
    return toCard(present(changed.card, 'the card'));
  },
});

export const reportCardLost = cardAction({
  operationId: 'reportCardLost',
  action: 'lost',
  summary: 'Report a card lost',
  description: 'Ends the card. It can be replaced.',
  errors: [],
  call: (cards, request, options) => cards.reportCardLost(request, options),
});

export const reportCardStolen = cardAction({
  operationId: 'reportCardStolen',
  action: 'stolen',
  summary: 'Report a card stolen',
  description: 'Ends the card. It can be replaced.',
  errors: [],
  call: (cards, request, options) => cards.reportCardStolen(request, options),
});

export const cancelCard = cardAction({
  operationId: 'cancelCard',
  action: 'cancel',
  summary: 'Cancel a card',
  description: 'Ends the card for good.',
  errors: [],
  call: (cards, request, options) => cards.cancelCard(request, options),
});

export const replaceCard = cardAction({
  operationId: 'replaceCard',
  action: 'replace',
  summary: 'Replace a lost or stolen card',
  description:
    'Issues a card with a new number and returns it. It does not count toward the limit of five. A repeat returns the same card. The session must be younger than five minutes; otherwise sign in again.',
  errors: ['REAUTHENTICATION_REQUIRED', 'ACCOUNT_NOT_ACTIVE', 'CARD_LIMIT_REACHED', 'CARD_ORDER_LIMIT_REACHED', 'CARD_ISSUING_FAILED'],
  call: (cards, request, options) => cards.replaceCard(request, options),
});

export const renewCard = cardAction({
  operationId: 'renewCard',
  action: 'renew',
  summary: 'Renew a card',
  description: 'Extends the expiry by one term and keeps the number. Possible once per term, before the card expires.',
  errors: ['CARD_ISSUING_FAILED'],
  call: (cards, request, options) => cards.renewCard(request, options),
});

export const getCardLimits = defineRoute({
  operationId: 'getCardLimits',
  method: 'get',
  path: '/cards/{cardId}/limits',
  tag: 'Cards',
  summary: 'Get the limits of a card',
  description: 'The limits in force with what counts against them. Days, ISO weeks and months are in UTC.',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: cardLimits },
  errors: ['CARD_NOT_FOUND'],
  handler: async ({ params: { cardId } }, { upstream, asCaller }) =>
    toCardLimits((await upstream.cardPayments.getCardLimits({ cardId }, asCaller)).limits),
});

export const getCardControls = defineRoute({
  operationId: 'getCardControls',
  method: 'get',
  path: '/cards/{cardId}/controls',
  tag: 'Cards',
  summary: 'Get the controls of a card',
  description: 'Returns the controls that the cardholder has set. Controls never stop clearings.',
  policy: 'user',
  params: z.object({ cardId: id }),
  answers: { 200: cardControls },
  errors: ['CARD_NOT_FOUND'],
  handler: async ({ params: { cardId } }, { upstream, asCaller }) =>
    toControls((await upstream.cardPayments.getCardControls({ cardId }, asCaller)).controls),
});

const OPENING =
  'To permit what was not permitted, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/controls/challenge`. Closing needs neither.';

const controlsOperation = {
  path: '/cards/{cardId}/controls',
  tag: 'Cards',
  policy: 'user',
  params: z.object({ cardId: id }),
  query: approvalQuery,
  answers: { 200: cardControls },
  errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT', ...APPROVAL_ERRORS],
  statusOf: APPROVAL_STATUS,
} as const;

type ControlsChange = { params: { cardId: string }; query: { approval?: string | undefined }; body: z.output<typeof changedCardControls> };

const changeControls = async (
  { params: { cardId }, query: { approval = '' }, body }: ControlsChange,
  { upstream, asCaller }: RouteCall<'user'>,
) => {
  const request = { cardId, approval, ...toWireControls(body) };
  return toControls((await upstream.cardPayments.setCardControls(request, { ...asCaller, timeoutMs: APPROVAL_TIMEOUT_MS })).controls);
};

export const setCardControls = defineRoute({
  ...controlsOperation,
  operationId: 'setCardControls',
  method: 'put',
  summary: 'Set the controls of a card',
  description: `Replaces all that the cardholder permits. A list of allowed values, when it is not empty, excludes all others; denied values prevail. ${OPENING}`,
  body: newCardControls,
  handler: changeControls,
});

export const updateCardControls = defineRoute({
  ...controlsOperation,
  operationId: 'updateCardControls',
  method: 'patch',
  summary: 'Change controls of a card',
  description: `Changes the given controls, each side of a list by itself, and keeps the others. ${OPENING}`,
  body: changedCardControls,
  handler: changeControls,
});
