import type { AcknowledgeRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { eventOf, unacknowledgedApproval } from '../domain/payment.ts';
import { paymentIdOf } from '../domain/payment-ids.ts';
import type { Dependencies } from './dependencies.ts';
import { printable } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ eventId: printable('it'), transactionId: printable('it') });

/**
 * Records that the processor has the answer to a request.
 * @throws CodedError PAYMENT_NOT_FOUND, VALIDATION_FAILED
 */
export const acknowledge = ({ payments, record, program, runtime }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: AcknowledgeRequest, { caller }) => {
    const { eventId, transactionId } = parseRequest(requestSchema, request);
    const payment = await payments.find(paymentIdOf(caller.name, transactionId));
    if (payment === undefined || eventOf(payment, eventId)?.decision === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
    const isAwaited = unacknowledgedApproval(payment)?.id === eventId;
    const event = { id: `acknowledgement:${eventId}`, type: 'acknowledgement' as const, at: runtime.now() };
    const after = isAwaited ? await record(payment, event, payment) : payment;
    return { payment: toWirePayment(after, program, true) };
  });
