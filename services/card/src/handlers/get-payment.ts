import type { GetPaymentRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Returns a card transaction: the caller's own to a user, any to a platform service. */
export const getPayment = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(async (request: GetPaymentRequest, { caller }) => {
    const { paymentId } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined || (caller.kind !== 'service' && payment.userId !== caller.userId)) throw new CodedError('PAYMENT_NOT_FOUND');
    return { payment: toWirePayment(payment, program, true) };
  });
