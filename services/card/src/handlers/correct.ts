import { CorrectionDirection, type CorrectRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a correction of the network. */
export const correct = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: CorrectRequest, { caller, logger }) => {
    const type = request.direction === CorrectionDirection.DEBIT ? ('correction_debit' as const) : ('correction_credit' as const);
    const payment = await reporting.report({ processor: caller.name, type, ...readReport(request, logger) }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
