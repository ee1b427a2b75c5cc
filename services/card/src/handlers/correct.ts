import { CorrectionDirection, type CorrectRequest } from '@florin/proto/card/v1/processor_service';
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
  direction: z.literal([CorrectionDirection.DEBIT, CorrectionDirection.CREDIT], 'must be debit or credit'),
  merchant: merchantSchema.optional(),
});

/** Records a correction of the network. */
export const correct = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: CorrectRequest, { caller, logger }) => {
    const { event, amount: money, direction, merchant } = parseReport(requestSchema, request, logger);
    const type = direction === CorrectionDirection.DEBIT ? ('correction_debit' as const) : ('correction_credit' as const);
    const payment = await reporting.report({ processor: caller.name, type, ...event, money, merchant }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
