import type { AcknowledgeRequest } from '@florin/proto/card/v1/processor_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { eventOf, unacknowledgedApproval } from '../domain/payment.ts';
import { paymentIdOf } from '../domain/payment-ids.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records that the processor has the answer to a request. */
export const acknowledge = ({ payments, record, program, runtime }: Dependencies) =>
  serviceMethod(async ({ eventId, transactionId }: AcknowledgeRequest, { caller }) => {
    const payment = await payments.find(paymentIdOf(caller.name, transactionId));
    if (payment === undefined || eventOf(payment, eventId)?.decision === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    const isAwaited = unacknowledgedApproval(payment)?.id === eventId;
    const event = { id: `acknowledgement:${eventId}`, type: 'acknowledgement' as const, at: runtime.now() };
    const after = isAwaited ? await record(payment, event, payment) : payment;
    return { payment: toWirePayment(after, program, true) };
  });
