import type { AdviseRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport, requireTransaction } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records an authorization that the network has approved in the place of the issuer. */
export const advise = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: AdviseRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, singleMessage } = request;
    const payment = await reporting.report(
      { processor: caller.name, type: 'advice', ...readReport(request, logger), atm, singleMessage },
      logger,
    );
    return { payment: toWirePayment(payment, program, true) };
  });
