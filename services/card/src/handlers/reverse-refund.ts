import type { ReverseRefundRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records that a refund is taken back. */
export const reverseRefund = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseRefundRequest, { caller, logger }) => {
    const reported = await reporting.book({ processor: caller.name, type: 'refund_reversal', ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });
