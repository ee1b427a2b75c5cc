import { cutPage, pageOf } from '@florin/data/paging';
import type { ListAdjustmentsRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { serviceMethod } from '@florin/rpc/server';
import { decodeCursor, encodeCursor } from '../domain/page-cursor.ts';
import type { AdjustmentPlace } from '../store/adjustments.ts';
import { statusFrom, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';

const encodePlace = ({ createdAt, id }: AdjustmentPlace): string => `${encodeCursor(createdAt.getTime())}.${id}`;

/** @throws CodedError VALIDATION_FAILED unless the text is exactly what `encodePlace` makes */
const decodePlace = (cursor: string): AdjustmentPlace | undefined => {
  if (cursor === '') return undefined;
  const [time = '', text = ''] = cursor.split('.');
  const createdAt = decodeCursor(time);
  const id = uuidSchema.safeParse(text);
  const place = createdAt === undefined || !id.success ? undefined : { createdAt: new Date(createdAt), id: id.data };
  if (place === undefined || encodePlace(place) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: must be a nextCursor of an earlier page' });
  }
  return place;
};

/** A page of adjustments, newest first. */
export const listAdjustments = ({ adjustments }: Dependencies) =>
  serviceMethod(async (request: ListAdjustmentsRequest) => {
    const page = pageOf(request);
    const found = await adjustments.page({ limit: page.limit + 1, before: decodePlace(page.cursor), status: statusFrom(request.status) });
    const { rows, nextCursor } = cutPage(found, page.limit, encodePlace);
    return { adjustments: rows.map(toWireAdjustment), page: { nextCursor } };
  });
