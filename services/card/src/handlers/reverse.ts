import type { ReverseRequest } from '@florin/proto/card/v1/processor_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readReport, requireTransaction } from './event-fields.ts';
import { toWireReported } from './to-wire-exception.ts';

/** Records a reversal. */
export const reverse = ({ reporting, program }: Dependencies) =>
  serviceMethod(async (request: ReverseRequest, { caller, logger }) => {
    requireTransaction(request);
    const { requestEventId, amount } = request;
    requireFields({ amount: requestEventId !== '' && amount !== undefined ? 'must be absent with request_event_id' : undefined });
    const undone = requestEventId === '' ? {} : { undoneRequestId: requestEventId };
    const reversal = { processor: caller.name, type: 'reversal' as const, ...readReport(request, logger), ...undone };
    return toWireReported(await reporting.book(reversal, logger), program);
  });
