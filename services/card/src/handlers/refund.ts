import type { RefundRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records a refund. */
export const refund = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: RefundRequest, { caller, logger }) => {
    const reported = await reporting.book({ processor: caller.name, type: 'refund', ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });
