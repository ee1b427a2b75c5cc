import { cutPage, pageSchema } from '@florin/data/paging';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionStatus } from '@florin/proto/chain/v1/watch';
import type { ListExceptionsRequest } from '@florin/proto/chain/v1/watch_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { ExceptionPlace } from '../store/exceptions.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireException } from './to-wire.ts';

const STATUS = {
  [ExceptionStatus.UNSPECIFIED]: undefined,
  [ExceptionStatus.OPEN]: 'open',
  [ExceptionStatus.CLOSED]: 'closed',
} as const;

const requestSchema = z.object({ page: pageSchema, status: z.enum(ExceptionStatus) });

const placeSchema = z.object({ at: z.int().min(0), id: uuidSchema });

const encodePlace = ({ createdAt, id }: ExceptionPlace): string => `${createdAt.getTime().toString(36)}.${id}`;

/** @throws CodedError VALIDATION_FAILED unless the text is exactly what `encodePlace` makes */
const decodePlace = (cursor: string): ExceptionPlace | undefined => {
  if (cursor === '') return undefined;
  const [time = '', id] = cursor.split('.');
  const parsed = placeSchema.safeParse({ at: Number.parseInt(time, 36), id });
  const place = parsed.success ? { createdAt: new Date(parsed.data.at), id: parsed.data.id } : undefined;
  if (place === undefined || encodePlace(place) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: must be a nextCursor of an earlier page' });
  }
  return place;
};

/**
 * A page of exceptions, newest first.
 * @throws CodedError VALIDATION_FAILED
 */
export const listExceptions = ({ exceptions }: Dependencies) =>
  serviceMethod(CHAIN_SCOPES.readExceptions, async (request: ListExceptionsRequest) => {
    const { page, status } = parseRequest(requestSchema, request);
    const found = await exceptions.page({ limit: page.limit + 1, before: decodePlace(page.cursor), status: STATUS[status] });
    const { rows, nextCursor } = cutPage(found, page.limit, encodePlace);
    return { exceptions: rows.map(toWireException), page: { nextCursor } };
  });
