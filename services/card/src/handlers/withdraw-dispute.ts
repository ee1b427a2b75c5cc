import type { WithdrawDisputeRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { disputeOf, stepEventId } from '../domain/dispute.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Gives up a dispute of the caller's own payment. */
export const withdrawDispute = ({ payments, disputes, program }: Dependencies) =>
  userMethod(async ({ paymentId, disputeId }: WithdrawDisputeRequest, { caller, logger }) => {
    const payment = await payments.find(paymentId);
    const dispute = payment === undefined ? undefined : disputeOf(payment, disputeId);
    if (payment === undefined || dispute === undefined || payment.userId !== caller.userId) throw new CodedError('PAYMENT_NOT_FOUND');
    // There is one withdrawal of a dispute by its cardholder: a repeat is the same step.
    const step = { eventId: stepEventId(`withdrawn/${disputeId}`), stage: 'withdrawn' as const };
    return { payment: toWirePayment(await disputes.advance(payment, dispute, step, logger), program, true) };
  });
