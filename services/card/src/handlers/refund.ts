import type { RefundRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { amountSchema, looseEventSchema, merchantSchema } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: looseEventSchema, amount: amountSchema, merchant: merchantSchema.optional() });

/** Records a refund. */
export const refund = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: RefundRequest, { caller, logger }) => {
    const { event, amount: money, merchant } = parseRequest(requestSchema, request);
    const payment = await reporting.report({ processor: caller.name, type: 'refund', ...event, money, merchant }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
