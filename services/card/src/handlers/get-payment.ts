import type { GetPaymentRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ paymentId: uuidSchema });

/** Returns a card transaction: the caller's own to a user, any to a platform service. */
export const getPayment = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.readPayments, async (request: GetPaymentRequest, { caller }) => {
    const { paymentId } = parseRequest(requestSchema, request);
    const payment = await payments.find(paymentId);
    if (payment === undefined || (caller.kind !== 'service' && payment.userId !== caller.userId)) throw new CodedError('PAYMENT_NOT_FOUND');
    return { payment: toWirePayment(payment, program, true) };
  });
