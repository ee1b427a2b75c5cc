import type { ReportDeclineRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport, requireTransaction } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a request that another party has declined in our place. */
export const reportDecline = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReportDeclineRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, responseCode } = request;
    const event = { processor: caller.name, type: 'decline' as const, ...readReport(request, logger), atm, responseCode };
    return { payment: toWirePayment(await reporting.report(event, logger), program, true) };
  });
