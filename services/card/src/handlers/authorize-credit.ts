import type { AuthorizeCreditRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readRequest, requireTransaction } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

/** Decides on a credit that is to come, and announces it. */
export const authorizeCredit = ({ deciding }: Dependencies) =>
  serviceMethod(async (request: AuthorizeCreditRequest, { caller, logger }) => {
    requireTransaction(request);
    const { push } = request;
    const decided = await deciding.decide({ processor: caller.name, type: 'credit_request', ...readRequest(request), push }, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
