import { CheckResult } from '@florin/proto/card/v1/payment';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { entryMode } from '../../schemas/card-transaction.ts';
import { currencyInput, id } from '../../schemas/fields.ts';
import { networkDecision, toNetworkDecision } from './network-decision.ts';
import {
  cardMerchantInput,
  deliver,
  deliveryShape,
  eventReference,
  networkAmount,
  requireOwnCard,
  toNetworkAmount,
  toNetworkMerchant,
} from './network-event.ts';

export const createPayment = defineRoute({
  operationId: 'sandboxCreatePayment',
  method: 'post',
  path: '/sandbox/payments',
  tag: 'Sandbox',
  summary: 'Pay with a card',
  description:
    "Authorizes a payment with one of the caller's cards, as the card processor does. A decline is an answer, too: `approved` is false.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    cardId: id,
    amount: networkAmount,
    currency: currencyInput,
    merchant: cardMerchantInput,
    entryMode: entryMode.schema.default('ecommerce'),
    atm: z.boolean().default(false).meta({ description: 'A withdrawal of cash with the correct PIN, which is booked at once' }),
    threeDsChallengeId: id.optional().meta({ description: 'The approved challenge that the authorization uses up' }),
    cashBackAmount: networkAmount
      .optional()
      .meta({ description: 'Part of the amount that is paid out in cash at the counter, at most the amount' }),
    partial: z.boolean().default(false).meta({ description: 'True if the terminal accepts an approval of a part' }),
    capture: z.boolean().default(false).meta({ description: 'True if an approved payment is cleared at once' }),
    transactionId: id.optional().meta({ description: "The network's id of the payment, to send its events out of order" }),
    ...deliveryShape,
  }),
  answers: { 200: networkDecision },
  errors: ['CARD_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
  handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
    const { cardId, transactionId = requestKey } = body;
    await requireOwnCard(upstream, cardId, asCaller);
    const event = eventReference(requestKey, cardId, transactionId);
    const amount = toNetworkAmount(body.amount, body.currency);
    const request = {
      event,
      amount,
      merchant: toNetworkMerchant(body.merchant),
      entryMode: entryMode.toValue(body.entryMode),
      atm: body.atm,
      singleMessage: body.atm,
      ...(body.atm ? { checks: { pin: CheckResult.CORRECT } } : {}),
      partialApproval: body.partial,
      cashBackAmount: body.cashBackAmount ?? '',
      ...(body.threeDsChallengeId === undefined ? {} : { authentication: { challengeId: body.threeDsChallengeId, eci: '05' } }),
    };
    const { decision } = await deliver(body, () => asGateway((options) => upstream.cardNetwork.authorize(request, options)));
    if (body.capture && decision?.approved === true) {
      const clearing = {
        event: eventReference(`${requestKey}-clearing`, cardId, transactionId),
        amount: { ...amount, amount: decision.approvedAmount },
      };
      await asGateway((options) => upstream.cardNetwork.clear(clearing, options));
    }
    return toNetworkDecision(decision);
  },
});
