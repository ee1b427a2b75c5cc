import { cutPage, decodeTimeCursor, encodeTimeCursor, pageSchema } from '@florin/data/paging';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionStatus } from '@florin/proto/chain/v1/watch';
import type { ListExceptionsRequest } from '@florin/proto/chain/v1/watch_service';
import { unlessEmpty } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

const STATUS = {
  [ExceptionStatus.UNSPECIFIED]: undefined,
  [ExceptionStatus.OPEN]: 'open',
  [ExceptionStatus.RETRYING]: 'retrying',
  [ExceptionStatus.CLOSED]: 'closed',
} as const;

const requestSchema = z.object({
  page: pageSchema,
  status: z.enum(ExceptionStatus),
  txHash: unlessEmpty(z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')),
});

/**
 * A page of exceptions, newest first.
 * @throws CodedError VALIDATION_FAILED
 */
export const listExceptions = ({ exceptions }: Dependencies) =>
  serviceMethod(CHAIN_SCOPES.readExceptions, async (request: ListExceptionsRequest) => {
    const { page, status, txHash } = parseRequest(requestSchema, request);
    const found = await exceptions.page({
      limit: page.limit + 1,
      before: decodeTimeCursor(page.cursor),
      status: STATUS[status],
      txHash: txHash?.toLowerCase(),
    });
    const { rows, nextCursor } = cutPage(found, page.limit, encodeTimeCursor);
    return { exceptions: rows.map(toWireException), page: { nextCursor } };
  });
