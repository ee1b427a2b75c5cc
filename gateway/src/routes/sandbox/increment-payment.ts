import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { networkDecision, toNetworkDecision } from './network-decision.ts';
import {
  currencyOrBilling,
  deliver,
  deliveryShape,
  findNetworkPayment,
  networkAmount,
  networkParams,
  toNetworkAmount,
} from './network-event.ts';

export const incrementPayment = defineRoute({
  operationId: 'sandboxIncrementPayment',
  method: 'post',
  path: '/sandbox/payments/{transactionId}/increment',
  tag: 'Sandbox',
  summary: 'Raise a payment',
  description: 'Asks for more than was authorized. A decline leaves the authorization as it was.',
  policy: 'user',
  sandboxOnly: true,
  params: networkParams,
  body: z.object({ amount: networkAmount, currency: currencyOrBilling, ...deliveryShape }),
  answers: { 200: networkDecision },
  errors: ['PAYMENT_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
  handler: async ({ params, body }, call) => {
    const { event, currency } = await findNetworkPayment(call, params.transactionId, undefined);
    const request = { event, amount: toNetworkAmount(body.amount, body.currency ?? currency) };
    const { decision } = await deliver(body, () => call.asGateway((options) => call.upstream.cardNetwork.increment(request, options)));
    return toNetworkDecision(decision);
  },
});
