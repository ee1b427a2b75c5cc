import type { CreditRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { looseEventSchema, merchantSchema, reportAmountSchema } from './event-fields.ts';
import { parseReport } from './parse-report.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: looseEventSchema, amount: reportAmountSchema, merchant: merchantSchema.optional() });

/** Records a credit push. */
export const credit = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: CreditRequest, { caller, logger }) => {
    const { event, amount: money, merchant } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report({ processor: caller.name, type: 'credit', ...event, money, merchant }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
