import type { ResolveDisputeRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Ends the latest dispute as the network has decided it. The first outcome stands: a repeat of it returns the payment, the opposite one is rejected. */
export const resolveDispute = ({ payments, disputes, program }: Dependencies) =>
  serviceMethod(async (request: ResolveDisputeRequest, { caller, logger }) => {
    const { paymentId, won } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    const { dispute } = payment;
    if (dispute === undefined) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const stage = won ? 'won' : 'lost';
    // A dispute that is submitted again at a later stage has an outcome of that stage.
    const eventId = ['dispute', dispute.id, stage, ...(dispute.standingCredit === undefined ? [] : [dispute.stage])].join(':');
    const resolved = await disputes.advance(payment, dispute, { eventId, stage, actor: caller.name }, logger);
    return { payment: toWirePayment(resolved, program, true) };
  });
