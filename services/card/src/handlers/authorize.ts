import type { AuthorizeRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import {
  amountSchema,
  authenticationSchema,
  checksSchema,
  entryModeSchema,
  eventSchema,
  merchantSchema,
  optionalAmountSchema,
} from './event-fields.ts';
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
  cashBackAmount: optionalAmountSchema,
});

/** Decides on a payment and holds its money. */
export const authorize = ({ deciding }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: AuthorizeRequest, { caller, logger }) => {
    const { event: reference, amount: money, cashBackAmount: cashBack, ...payment } = parseRequest(requestSchema, request);
    if (cashBack !== undefined && cashBack > money.amount) {
      throw new CodedError('VALIDATION_FAILED', { message: 'cashBackAmount: must be at most the amount' });
    }
    const input = {
      processor: caller.name,
      type: 'authorization' as const,
      ...reference,
      money,
      ...payment,
      ...(cashBack === undefined ? {} : { cashBack }),
    };
    const decided = await deciding.decide(input, logger);
    return { decision: toWireDecision(decided.payment, decided.event) };
  });
