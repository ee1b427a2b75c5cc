import type { ClearRequest } from '@florin/proto/card/v1/processor_service';
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
  moreExpected: z.boolean(),
  forcePost: z.boolean(),
  merchant: merchantSchema.optional(),
  atm: z.boolean(),
});

/** Records a clearing. */
export const clear = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: ClearRequest, { caller, logger }) => {
    const { event, amount: money, forcePost, ...clearing } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report(
      { processor: caller.name, type: forcePost ? 'force_post' : 'clearing', ...event, money, ...clearing },
      logger,
    );
    return { payment: toWirePayment(payment, program, true) };
  });
