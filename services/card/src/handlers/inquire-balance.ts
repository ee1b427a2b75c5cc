import type { InquireBalanceRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { fromTokenAmount } from '../domain/program.ts';
import type { Dependencies } from './dependencies.ts';
import { checksSchema, looseEventSchema, merchantSchema } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

const requestSchema = z.object({ event: looseEventSchema, merchant: merchantSchema, checks: checksSchema });

/** Decides on a balance inquiry, and returns what is available. */
export const inquireBalance = ({ deciding, holds, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: InquireBalanceRequest, { caller, logger }) => {
    const { event: reference, ...inquiry } = parseRequest(requestSchema, request);
    const input = { processor: caller.name, type: 'balance_inquiry' as const, ...reference, ...inquiry };
    const { payment, event } = await deciding.decide(input, logger);
    const approved = event.decision.decline === undefined;
    const available = approved ? fromTokenAmount(program, await holds.available(payment.accountId, program.token.symbol)).toString() : '';
    return { decision: toWireDecision(payment, event), available, currency: program.currency };
  });
