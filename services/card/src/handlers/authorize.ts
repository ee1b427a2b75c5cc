import type { AuthorizeRequest } from '@florin/proto/card/v1/processor_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readRequest, requireTransaction, toAuthentication, toChecks } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

/** Decides on a payment and holds its money. */
export const authorize = ({ deciding }: Dependencies) =>
  serviceMethod(async (request: AuthorizeRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, partialApproval, singleMessage, cashBackAmount } = request;
    const event = readRequest(request);
    const cashBack = cashBackAmount === '' ? undefined : BigInt(cashBackAmount);
    requireFields({ cash_back_amount: (cashBack ?? 0n) > (event.money?.amount ?? 0n) ? 'must be at most the amount' : undefined });
    const input = {
      processor: caller.name,
      type: 'authorization' as const,
      ...event,
      checks: toChecks(request.checks),
      authentication: toAuthentication(request.authentication),
      atm,
      partialApproval,
      singleMessage,
      cashBack,
    };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
