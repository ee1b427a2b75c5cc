import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { AdvanceDisputeRequest } from '@florin/proto/card/v1/payment_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { disputeOf, stepEventId } from '../domain/dispute.ts';
import { eventOf } from '../domain/payment.ts';
import { actorOf } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { stepFromWire } from './to-wire-dispute.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a step of a dispute. */
export const advanceDispute = ({ payments, disputes, program }: Dependencies) =>
  serviceMethod(async (request: AdvanceDisputeRequest, { caller, logger }) => {
    const { paymentId, disputeId, eventId, amount, networkCaseId, networkReasonCode, deadline, note, actor } = request;
    const payment = await payments.find(paymentId);
    if (payment === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    // A repeat that names none is about the dispute that was the latest one when the step first arrived.
    const dispute = disputeOf(payment, disputeId || eventOf(payment, stepEventId(eventId))?.dispute?.id);
    if (dispute === undefined) throw new CodedError('DISPUTE_NOT_AVAILABLE');
    const step = {
      eventId: stepEventId(eventId),
      stage: stepFromWire(request.stage),
      amount: amount === '' ? undefined : BigInt(amount),
      networkCaseId: networkCaseId || undefined,
      networkReasonCode: networkReasonCode || undefined,
      deadline: deadline && timestampDate(deadline),
      note: note || undefined,
      actor: actorOf(caller, actor),
    };
    return { payment: toWirePayment(await disputes.advance(payment, dispute, step, logger), program, true) };
  });
