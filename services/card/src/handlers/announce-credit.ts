import type { AnnounceCreditRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { looseEventSchema, merchantSchema, reportAmountSchema } from './event-fields.ts';
import { parseReport } from './parse-report.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({
  event: looseEventSchema,
  amount: reportAmountSchema,
  merchant: merchantSchema.optional(),
  push: z.boolean(),
});

/** Records a credit that is to come. */
export const announceCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: AnnounceCreditRequest, { caller, logger }) => {
    const { event, amount: money, ...announced } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report({ processor: caller.name, type: 'credit_announced', ...event, money, ...announced }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
