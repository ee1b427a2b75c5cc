import type { CallOptions } from '@connectrpc/connect';
import type { Payment } from '@florin/proto/card/v1/payment';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cardTransactionDetail, toCardTransactionDetail } from '../../schemas/card-transaction.ts';
import { id } from '../../schemas/fields.ts';
import {
  bookedPayment,
  currencyOrBilling,
  deliver,
  deliveryShape,
  findNetworkPayment,
  networkAmount,
  networkParams,
  toNetworkAmount,
} from './network-event.ts';

type Event = NonNullable<Parameters<Upstream['cardNetwork']['expire']>[0]['event']>;
type Sent = { event: Event; amount?: ReturnType<typeof toNetworkAmount>; final: boolean };

export type NetworkOperation = {
  operationId: string;
  /** Last segment of the path. */
  action: string;
  summary: string;
  description: string;
  /** True if the operation cannot do without an amount. */
  needsAmount: boolean;
  send: (network: Upstream['cardNetwork'], sent: Sent, options: CallOptions) => Promise<{ payment?: Payment | undefined }>;
};

const body = z.object({
  cardId: id.optional().meta({ description: 'Card of a payment that is yet to come' }),
  amount: networkAmount.optional(),
  currency: currencyOrBilling,
  billingAmount: networkAmount.optional().meta({ description: 'What the network bills, in the billing currency' }),
  final: z.boolean().default(true).meta({ description: 'Of a clearing: whether it is the last one' }),
  ...deliveryShape,
});

const bodyWithAmount = body.extend({ amount: networkAmount });

/** Declares `POST /sandbox/payments/{transactionId}/<action>`: an event of the network on a payment. */
export const networkOperation = ({ action, needsAmount, send, ...declaration }: NetworkOperation) =>
  defineRoute({
    ...declaration,
    method: 'post',
    path: `/sandbox/payments/{transactionId}/${action}`,
    tag: 'Sandbox',
    policy: 'user',
    sandboxOnly: true,
    params: networkParams,
    body: needsAmount ? bodyWithAmount : body,
    answers: { 200: cardTransactionDetail },
    errors: ['PAYMENT_NOT_FOUND', 'CARD_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
    handler: async ({ params, body: given }, call) => {
      const { event, currency } = await findNetworkPayment(call, params.transactionId, given.cardId);
      const stated = given.amount === undefined ? undefined : toNetworkAmount(given.amount, given.currency ?? currency);
      const amount = stated === undefined ? {} : { amount: { ...stated, billingAmount: given.billingAmount ?? '' } };
      const { payment } = await deliver(given, () =>
        call.asGateway((options) => send(call.upstream.cardNetwork, { event, final: given.final, ...amount }, options)),
      );
      return toCardTransactionDetail(bookedPayment(payment));
    },
  });
