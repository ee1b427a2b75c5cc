import type { ClearRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records a clearing. */
export const clear = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ClearRequest, { caller, logger }) => {
    const { forcePost, secondPresentment, moreExpected, atm } = request;
    const booked = forcePost ? 'force_post' : 'clearing';
    const type = secondPresentment ? 'second_presentment' : booked;
    const reported = await reporting.book({ processor: caller.name, type, ...readReport(request, logger), moreExpected, atm }, logger);
    return toWireReported(reported, program);
  });
