import type { VerifyRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readRequest, requireTransaction, toAuthentication, toChecks } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

/** Decides on a verification of the card without an amount. */
export const verify = ({ deciding }: Dependencies) =>
  serviceMethod(async (request: VerifyRequest, { caller, logger }) => {
    requireTransaction(request);
    const input = {
      ...{ processor: caller.name, type: 'verification' as const },
      ...readRequest(request),
      ...{ checks: toChecks(request.checks), ...toAuthentication(request) },
    };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
