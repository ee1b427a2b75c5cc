import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListExceptionsRequest } from '@florin/proto/card/v1/exception_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { kindFromWire, statusFromWire, toWireException } from './to-wire-exception.ts';

/** Returns a page of exceptions, oldest first. */
export const listExceptions = ({ exceptions, program }: Dependencies) =>
  serviceMethod(async (request: ListExceptionsRequest) => {
    const { limit, cursor } = pageOf(request);
    const query = { status: statusFromWire(request.status) ?? 'open', kind: kindFromWire(request.kind), after: decodeIdCursor(cursor) };
    const { rows, nextCursor } = cutPage(await exceptions.page({ ...query, limit: limit + 1 }), limit, ({ listId }) =>
      encodeIdCursor(listId),
    );
    return { exceptions: rows.map((exception) => toWireException(exception, program)), page: { nextCursor } };
  });
