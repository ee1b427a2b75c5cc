import type { CreditRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records a credit push. */
export const credit = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: CreditRequest, { caller, logger }) => {
    const reported = await reporting.book({ processor: caller.name, type: 'credit', ...readReport(request, logger) }, logger);
    return toWireReported(reported, program);
  });
