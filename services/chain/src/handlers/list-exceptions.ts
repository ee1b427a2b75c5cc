import { cutPage, decodeTimeCursor, encodeTimeCursor, pageOf } from '@florin/data/paging';
import { ExceptionStatus } from '@florin/proto/chain/v1/watch';
import type { ListExceptionsRequest } from '@florin/proto/chain/v1/watch_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

const STATUS: Readonly<Partial<Record<ExceptionStatus, 'open' | 'retrying' | 'closed'>>> = {
  [ExceptionStatus.OPEN]: 'open',
  [ExceptionStatus.RETRYING]: 'retrying',
  [ExceptionStatus.CLOSED]: 'closed',
};

/** A page of exceptions, newest first. */
export const listExceptions = ({ exceptions }: Dependencies) =>
  serviceMethod(async (request: ListExceptionsRequest) => {
    const { status, txHash } = request;
    const page = pageOf(request);
    const found = await exceptions.page({
      limit: page.limit + 1,
      before: decodeTimeCursor(page.cursor),
      status: STATUS[status],
      txHash: txHash || undefined,
    });
    const { rows, nextCursor } = cutPage(found, page.limit, encodeTimeCursor);
    return { exceptions: rows.map(toWireException), page: { nextCursor } };
  });
