import { CorrectionDirection, type CorrectRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records a correction of the network. */
export const correct = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: CorrectRequest, { caller, logger }) => {
    const type = request.direction === CorrectionDirection.DEBIT ? ('correction_debit' as const) : ('correction_credit' as const);
    const reported = await reporting.book({ processor: caller.name, type, ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });
