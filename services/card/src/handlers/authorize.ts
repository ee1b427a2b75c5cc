import type { AuthorizeRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { amountSchema, authenticationSchema, checksSchema, entryModeSchema, eventSchema, merchantSchema } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

const requestSchema = z.object({
  event: eventSchema,
  amount: amountSchema,
  merchant: merchantSchema,
  entryMode: entryModeSchema,
  checks: checksSchema,
  authentication: authenticationSchema,
  atm: z.boolean(),
  partialApproval: z.boolean(),
  singleMessage: z.boolean(),
});

/** Decides on a payment and holds its money. */
export const authorize = ({ deciding }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: AuthorizeRequest, { caller, logger }) => {
    const { event: reference, amount: money, ...payment } = parseRequest(requestSchema, request);
    const input = { processor: caller.name, type: 'authorization' as const, ...reference, money, ...payment };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
