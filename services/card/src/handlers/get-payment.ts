import type { GetPaymentRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Returns a card transaction: the caller's own to a user, any to a platform service unless it names the user. */
export const getPayment = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(async (request: GetPaymentRequest, { caller }) => {
    const owner = caller.kind === 'service' && request.userId === '' ? undefined : userOfCall(request, caller);
    const payment = await payments.find(request.paymentId);
    if (payment === undefined || (owner !== undefined && payment.userId !== owner)) throw new CodedError('PAYMENT_NOT_FOUND');
    return { payment: toWirePayment(payment, program, true) };
  });
