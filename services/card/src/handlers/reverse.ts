import type { ReverseRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport, requireTransaction } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a reversal. */
export const reverse = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseRequest, { caller, logger }) => {
    requireTransaction(request);
    const payment = await reporting.report({ processor: caller.name, type: 'reversal', ...readReport(request, logger) }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
