import type { ExpireRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { eventSchema } from './event-fields.ts';
import { parseReport } from './parse-report.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: eventSchema });

/** Records the expiry of an authorization. */
export const expire = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: ExpireRequest, { caller, logger }) => {
    const { event } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report({ processor: caller.name, type: 'expiry', ...event }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
