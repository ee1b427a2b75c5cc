import type { InquireBalanceRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import { fromTokenAmount } from '../domain/program.ts';
import type { Dependencies } from './dependencies.ts';
import { readRequest, toChecks } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

/** Decides on a balance inquiry, and returns what is available. */
export const inquireBalance = ({ deciding, holds, program }: Dependencies) =>
  serviceMethod(async (request: InquireBalanceRequest, { caller, logger }) => {
    const input = { processor: caller.name, type: 'balance_inquiry' as const, ...readRequest(request), checks: toChecks(request.checks) };
    const { payment, event } = await deciding.decide(input, logger);
    const approved = event.decision.decline === undefined;
    const available = approved ? fromTokenAmount(program, await holds.available(payment.accountId, program.token.symbol)).toString() : '';
    return { decision: toWireDecision(payment, event), available, currency: program.currency };
  });
