import type { ReverseAnnouncedCreditRequest } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { looseEventSchema, reportAmountSchema } from './event-fields.ts';
import { parseReport } from './parse-report.ts';
import { toWirePayment } from './to-wire-payment.ts';

const requestSchema = z.object({ event: looseEventSchema, amount: reportAmountSchema.optional() });

/** Records that an announced credit is taken back. */
export const reverseAnnouncedCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(CARD_SCOPES.writePayments, async (request: ReverseAnnouncedCreditRequest, { caller, logger }) => {
    const { event, amount: money } = parseReport(requestSchema, request, logger);
    const payment = await reporting.report({ processor: caller.name, type: 'announcement_reversal', ...event, money }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
