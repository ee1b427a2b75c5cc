import type { IncrementRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { amountSchema, eventSchema } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

const requestSchema = z.object({ event: eventSchema, amount: amountSchema });

/** Decides on raising an authorization. */
export const increment = ({ deciding }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: IncrementRequest, { caller, logger }) => {
    const { event: reference, amount: money } = parseRequest(requestSchema, request);
    const input = { processor: caller.name, type: 'increment' as const, ...reference, money };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
