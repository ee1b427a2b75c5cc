import type { ClearRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a clearing. */
export const clear = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ClearRequest, { caller, logger }) => {
    const { forcePost, moreExpected, atm } = request;
    const type = forcePost ? ('force_post' as const) : ('clearing' as const);
    const payment = await reporting.report({ processor: caller.name, type, ...readReport(request, logger), moreExpected, atm }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
