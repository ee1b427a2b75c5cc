import type { DisputePaymentRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { DisputeReason } from '../domain/dispute.ts';
import { actorOf } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Disputes what was cleared of a payment and has not been refunded. */
export const disputePayment = ({ payments, disputes, program }: Dependencies) =>
  userOrServiceMethod(async (request: DisputePaymentRequest, { caller, logger }) => {
    // A dispute can pay a provisional credit, which no person orders alone.
    if (caller.kind === 'service' && caller.person === true) throw new CodedError('FORBIDDEN');
    const { paymentId, requestId: id, text, amount } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined || (caller.kind !== 'service' && payment.userId !== caller.userId)) throw new CodedError('PAYMENT_NOT_FOUND');
    const reason = request.reason as DisputeReason;
    const actor = caller.kind === 'service' ? actorOf(caller, request.actor) : undefined;
    const disputed = await disputes.open(payment, { id, reason, text, amount: amount === '' ? undefined : BigInt(amount), actor }, logger);
    return { payment: toWirePayment(disputed, program, true) };
  });
