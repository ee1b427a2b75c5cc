import type { ReverseRefundRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { looseEventSchema, merchantSchema, reportAmountSchema } from './event-fields.ts';
import { parseReport } from './parse-report.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: looseEventSchema, amount: reportAmountSchema, merchant: merchantSchema.optional() });

/** Records that a refund is taken back. */
export const reverseRefund = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: ReverseRefundRequest, { caller, logger }) => {
    const { event, amount: money, merchant } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report({ processor: caller.name, type: 'refund_reversal', ...event, money, merchant }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
