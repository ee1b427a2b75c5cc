import type { ReverseRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { amountSchema, eventSchema } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: eventSchema, amount: amountSchema.optional() });

/** Records a reversal. */
export const reverse = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: ReverseRequest, { caller, logger }) => {
    const { event, amount: money } = parseRequest(requestSchema, request);
    const payment = await reporting.report({ processor: caller.name, type: 'reversal', ...event, money }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
