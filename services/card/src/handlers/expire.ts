import type { ExpireRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport, requireTransaction } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records the expiry of an authorization. */
export const expire = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ExpireRequest, { caller, logger }) => {
    requireTransaction(request);
    const payment = await reporting.report({ processor: caller.name, type: 'expiry', ...readReport(request, logger) }, logger);
    return { payment: toWirePayment(payment, program, true) };
  });
