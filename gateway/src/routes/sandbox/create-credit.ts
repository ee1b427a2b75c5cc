import type { CallOptions } from '@connectrpc/connect';
import type { Payment } from '@florin/proto/card/v1/payment';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cardTransactionDetail, toCardTransactionDetail } from '../../schemas/card-transaction.ts';
import { currencyInput, id } from '../../schemas/fields.ts';
import {
  bookedPayment,
  cardMerchantInput,
  deliver,
  deliveryShape,
  eventReference,
  networkAmount,
  requireOwnCard,
  toNetworkAmount,
  toNetworkMerchant,
} from './network-event.ts';

type CreditRequest = Parameters<Upstream['cardNetwork']['credit']>[0];

type CreditOperation = {
  operationId: string;
  path: string;
  summary: string;
  description: string;
  send: (network: Upstream['cardNetwork'], request: CreditRequest, options: CallOptions) => Promise<{ payment?: Payment | undefined }>;
};

const creditOperation = ({ send, ...declaration }: CreditOperation) =>
  defineRoute({
    ...declaration,
    method: 'post',
    tag: 'Sandbox',
    policy: 'user',
    sandboxOnly: true,
    body: z.object({ cardId: id, amount: networkAmount, currency: currencyInput, merchant: cardMerchantInput, ...deliveryShape }),
    answers: { 200: cardTransactionDetail },
    errors: ['CARD_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
    handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
      await requireOwnCard(upstream, body.cardId, asCaller);
      const request = {
        event: eventReference(requestKey, body.cardId, requestKey),
        amount: toNetworkAmount(body.amount, body.currency),
        merchant: toNetworkMerchant(body.merchant),
      };
      const { payment } = await deliver(body, () => asGateway((options) => send(upstream.cardNetwork, request as CreditRequest, options)));
      return toCardTransactionDetail(bookedPayment(payment));
    },
  });

export const createRefund = creditOperation({
  operationId: 'sandboxCreateRefund',
  path: '/sandbox/refunds',
  summary: 'Refund without a payment',
  description: 'Credits the account with a refund whose payment is not known.',
  send: (network, request, options) => network.refund(request as Parameters<typeof network.refund>[0], options),
});

export const createCredit = creditOperation({
  operationId: 'sandboxCreateCredit',
  path: '/sandbox/credits',
  summary: 'Push a credit',
  description: 'Credits the account with a push to the card.',
  send: (network, request, options) => network.credit(request, options),
});
