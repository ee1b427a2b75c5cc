import type { ReverseRefundRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records that a refund is taken back. */
export const reverseRefund = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseRefundRequest, { caller, logger }) => {
    const payment = await reporting.report({ processor: caller.name, type: 'refund_reversal', ...readReport(request, logger) }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
