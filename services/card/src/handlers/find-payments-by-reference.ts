import { cutFound, findLimitOf } from '@florin/data/paging';
import type { FindPaymentsByReferenceRequest } from '@florin/proto/card/v1/payment_service';
import { serviceMethod } from '@florin/rpc/server';
import { claimIdOf, paymentIdOf } from '../domain/payment-ids.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/**
 * Returns card transactions by what processors and the card network call them. Ids of processors need no index: the ids of payments and of claims
 * derive from them.
 */
export const findPaymentsByReference = ({ payments, claims, processors, program }: Dependencies) =>
  serviceMethod(async (request: FindPaymentsByReferenceRequest) => {
    const { reference } = request;
    const limit = findLimitOf(request);
    const names = processors();
    const ofEvents = await claims.paymentsOf(names.map((processor) => claimIdOf(processor, reference)));
    const ids = [...names.map((processor) => paymentIdOf(processor, reference)), ...ofEvents];
    const { rows, hasMore } = cutFound(await payments.findByReference(reference, ids, limit + 1), limit);
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), hasMore };
  });
