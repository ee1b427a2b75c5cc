import type { DisputePaymentRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { disputableOf } from '../domain/payment.ts';
import { awaitEffects } from '../payments/report-event.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Disputes what was cleared of a payment and has not been refunded. */
export const disputePayment = ({ payments, record, relate, effects, program, runtime }: Dependencies) =>
  userMethod(async (request: DisputePaymentRequest, { caller, logger }) => {
    const { paymentId, requestId, reason, text } = request;
    let payment = await payments.find(paymentId);
    if (payment === undefined || payment.userId !== caller.userId) throw new CodedError('PAYMENT_NOT_FOUND');
    // Refunds that this payment has not been told of yet, or that earlier releases have recorded.
    for (const refund of await payments.findRefundsOf(payment)) payment = (await relate(refund, paymentId)) ?? payment;
    const provisionalCredit = (disputableOf(payment) * BigInt(program.provisionalCreditPercent)) / 100n;
    const dispute = { id: requestId, reason: text === '' ? reason : `${reason}: ${text}`, provisionalCredit };
    const repeated = payment.dispute?.id === requestId;
    if (!repeated && (disputableOf(payment) === 0n || payment.dispute !== undefined)) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const event = { id: `dispute:${requestId}`, type: 'dispute_opened' as const, at: runtime.now(), dispute };
    const disputed = repeated ? payment : await record(payment, event, payment);
    // Of two disputes that race, the second one is recorded without effect.
    if (disputed.dispute?.id !== requestId) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    await awaitEffects(effects.run(disputed, logger));
    return { payment: toWirePayment(disputed, program, true) };
  });
