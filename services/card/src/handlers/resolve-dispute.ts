import type { ResolveDisputeRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { awaitEffects } from '../payments/report-event.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Ends a dispute as the network has decided it. The first outcome stands: a repeat of it returns the payment, the opposite one is rejected. */
export const resolveDispute = ({ payments, record, effects, program, runtime }: Dependencies) =>
  serviceMethod(async (request: ResolveDisputeRequest, { logger }) => {
    const { paymentId, won } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    if (payment.dispute === undefined) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const type = won ? ('dispute_won' as const) : ('dispute_lost' as const);
    const status = won ? 'won' : 'lost';
    if (payment.dispute.status !== 'submitted' && payment.dispute.status !== status) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const resolved = await record(payment, { id: `${type}:${payment.dispute.id}`, type, at: runtime.now() }, payment);
    // Of two opposite outcomes that race, the second one is recorded without effect.
    if (resolved.dispute?.status !== status) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    await awaitEffects(effects.run(resolved, logger));
    return { payment: toWirePayment(resolved, program, true) };
  });
