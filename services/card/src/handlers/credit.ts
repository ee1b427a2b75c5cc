import type { CreditRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a credit push. */
export const credit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: CreditRequest, { caller, logger }) => {
    const payment = await reporting.report({ processor: caller.name, type: 'credit', ...readReport(request, logger) }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
