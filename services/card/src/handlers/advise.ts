import type { AdviseRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { entryModeSchema, eventSchema, merchantSchema, reportAmountSchema } from './event-fields.ts';
import { parseReport } from './parse-report.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({
  event: eventSchema,
  amount: reportAmountSchema,
  merchant: merchantSchema.optional(),
  entryMode: entryModeSchema,
  atm: z.boolean(),
  singleMessage: z.boolean(),
});

/** Records an authorization that the network has approved in the place of the issuer. */
export const advise = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: AdviseRequest, { caller, logger }) => {
    const { event, amount: money, ...payload } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report({ processor: caller.name, type: 'advice', ...event, money, ...payload }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
