import type { AnnounceCreditRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { amountSchema, looseEventSchema, merchantSchema } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: looseEventSchema, amount: amountSchema, merchant: merchantSchema.optional(), push: z.boolean() });

/** Records a credit that is to come. */
export const announceCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: AnnounceCreditRequest, { caller, logger }) => {
    const { event, amount: money, ...announced } = parseRequest(requestSchema, request);
    const payment = await reporting.report({ processor: caller.name, type: 'credit_announced', ...event, money, ...announced }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
