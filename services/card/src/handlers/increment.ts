import type { IncrementRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import { availableAfter } from './authorize.ts';
import type { Dependencies } from './dependencies.ts';
import { readRequest, requireTransaction } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

/** Decides on raising an authorization. */
export const increment = ({ deciding, holds, program }: Dependencies) =>
  serviceMethod(async (request: IncrementRequest, { caller, logger }) => {
    requireTransaction(request);
    const decided = await deciding.decide({ processor: caller.name, type: 'increment', ...readRequest(request) }, logger);
    return {
      decision: { ...toWireDecision(decided.payment, decided.event), ...(await availableAfter({ holds, program }, request, decided)) },
    };
  });
