import { cutFound, findLimitSchema } from '@florin/data/paging';
import type { FindPaymentsByReferenceRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { claimIdOf, paymentIdOf } from '../domain/payment-ids.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({
  reference: z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, 'must be 1 to 100 printable characters'),
  limit: findLimitSchema,
});

/**
 * Returns card transactions by what processors and the card network call them. Ids of processors need no index: the ids of payments and of claims
 * derive from them.
 * @throws CodedError VALIDATION_FAILED
 */
export const findPaymentsByReference = ({ payments, claims, processors, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.readPayments, async (request: FindPaymentsByReferenceRequest) => {
    const { reference, limit } = parseRequest(requestSchema, request);
    const ofEvents = await claims.paymentsOf(processors.map((processor) => claimIdOf(processor, reference)));
    const ids = [...processors.map((processor) => paymentIdOf(processor, reference)), ...ofEvents];
    const { rows, hasMore } = cutFound(await payments.findByReference(reference, ids, limit + 1), limit);
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), hasMore };
  });
