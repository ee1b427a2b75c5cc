import type { ResolveDisputeRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { awaitEffects } from '../payments/report-event.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ paymentId: uuidSchema, won: z.boolean() });

/**
 * Ends a dispute as the network has decided it. The first outcome stands: a repeat of it returns the payment, the opposite one is rejected.
 * @throws CodedError PAYMENT_NOT_FOUND, DISPUTE_NOT_AVAILABLE, VALIDATION_FAILED
 */
export const resolveDispute = ({ payments, record, effects, program, runtime }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: ResolveDisputeRequest, { logger }) => {
    const { paymentId, won } = parseRequest(requestSchema, request);
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
