import type { AnnounceCreditRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records a credit that is to come. */
export const announceCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: AnnounceCreditRequest, { caller, logger }) => {
    const { push } = request;
    const payment = await reporting.report(
      { processor: caller.name, type: 'credit_announced', ...readReport(request, logger), push },
      logger,
    );
    return { payment: toWirePayment(payment, program, true) };
  });
