import type { CallOptions } from '@connectrpc/connect';
import type { Payment } from '@florin/proto/card/v1/payment';
import { CodedError } from '@florin/rpc/errors';
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
  /** How the event states an amount. Default: `required`. */
  amount?: 'optional' | 'none';
  /** True if the event can be marked as the last one. Default: false. */
  hasFinal?: true;
  send: (network: Upstream['cardNetwork'], sent: Sent, options: CallOptions) => Promise<{ payment?: Payment | undefined }>;
};

const body = z.object({
  cardId: id.optional().meta({ description: 'Card of a payment that is yet to come' }),
  amount: networkAmount.optional(),
  currency: currencyOrBilling,
  billingAmount: networkAmount.optional().meta({ description: 'Amount that the network bills, in the billing currency' }),
  final: z.boolean().default(true).meta({
    description:
      'Of a clearing: whether it is the last one, which releases what is still held. A clearing after it is booked from the available balance, or as debt, and the operator sees an exception.',
  }),
  ...deliveryShape,
});

/** The body without the fields that an event does not have, which would be ignored. */
const bodyOf = ({ amount, hasFinal }: Pick<NetworkOperation, 'amount' | 'hasFinal'>): typeof body => {
  const stated = amount === undefined ? body.extend({ amount: networkAmount }) : body;
  const known: z.ZodObject = amount === 'none' ? stated.omit({ amount: true, currency: true, billingAmount: true }) : stated;
  return (hasFinal === true ? known : known.omit({ final: true })) as unknown as typeof body;
};

/** @throws CodedError VALIDATION_FAILED for an amount of the network's without the amount that it bills */
const amountOf = ({ amount, currency, billingAmount }: z.output<typeof body>, currencyOfPayment: string) => {
  if (amount !== undefined)
    return { amount: { ...toNetworkAmount(amount, currency ?? currencyOfPayment), billingAmount: billingAmount ?? '' } };
  const stray = currency === undefined ? billingAmount && 'billingAmount' : 'currency';
  if (stray) throw new CodedError('VALIDATION_FAILED', { message: `${stray}: must be of an amount` });
  return {};
};

/** Declares `POST /sandbox/payments/{transactionId}/<action>`: an event of the network on a payment. */
export const networkOperation = ({ send, ...operation }: NetworkOperation) => {
  const { action, amount: _amount, hasFinal: _hasFinal, ...declaration } = operation;
  return defineRoute({
    ...declaration,
    method: 'post',
    path: `/sandbox/payments/{transactionId}/${action}`,
    tag: 'Sandbox',
    policy: 'user',
    sandboxOnly: true,
    params: networkParams,
    body: bodyOf(operation),
    answers: { 200: cardTransactionDetail },
    errors: ['PAYMENT_NOT_FOUND', 'CARD_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
    handler: async ({ params, body: given }, call) => {
      const { event, currency } = await findNetworkPayment(call, params.transactionId, given.cardId);
      const sent = { event, final: given.final, ...amountOf(given, currency) };
      const { payment } = await deliver(given, () => call.asGateway((options) => send(call.upstream.cardNetwork, sent, options)));
      return toCardTransactionDetail(bookedPayment(payment));
    },
  });
};
