import type { AdviseRequest } from '@florin/proto/card/v1/processor_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport, requireTransaction } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records an authorization that the network has approved in the place of the issuer. */
export const advise = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: AdviseRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, singleMessage } = request;
    const reported = await reporting.book(
      { processor: caller.name, type: 'advice', ...readReport(request, logger), atm, singleMessage },
      logger,
    );
    return toWireReported(reported, program);
  });
