import type { ReverseAnnouncedCreditRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Records that an announced credit is taken back. */
export const reverseAnnouncedCredit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseAnnouncedCreditRequest, { caller, logger }) => {
    const payment = await reporting.report(
      { processor: caller.name, type: 'announcement_reversal', ...readReport(request, logger) },
      logger,
    );
    return { payment: toWirePayment(payment, program, true) };
  });
