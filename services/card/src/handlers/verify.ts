import type { VerifyRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { checksSchema, entryModeSchema, eventSchema, merchantSchema } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

const requestSchema = z.object({ event: eventSchema, merchant: merchantSchema, entryMode: entryModeSchema, checks: checksSchema });

/** Decides on a verification of the card without an amount. */
export const verify = ({ deciding }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: VerifyRequest, { caller, logger }) => {
    const { event: reference, ...verification } = parseRequest(requestSchema, request);
    const input = { processor: caller.name, type: 'verification' as const, ...reference, ...verification };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
