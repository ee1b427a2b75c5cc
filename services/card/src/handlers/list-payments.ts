import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { requireFields } from '@florin/rpc/contract';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { paymentKindFromWire, paymentStatusFromWire, toWirePayment } from './to-wire-payment.ts';

const timeOf = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time);

/** Returns a page of a user's card transactions, newest first. */
export const listPayments = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(async (request: ListPaymentsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { cardId, currency, categoryCode } = request;
    const [from, to] = [timeOf(request.from), timeOf(request.to)];
    requireFields({ from: from !== undefined && to !== undefined && from > to ? 'must not be after to' : undefined });
    const filter = {
      cardId: cardId || undefined,
      status: paymentStatusFromWire(request.status),
      kind: paymentKindFromWire(request.kind),
      from,
      to,
      currency: currency || undefined,
      categoryCode: categoryCode || undefined,
      disputed: request.disputed || undefined,
      disputeId: request.disputeId || undefined,
    };
    const page = pageOf(request);
    const found = await payments.page(userId, { ...filter, limit: page.limit + 1, before: decodeIdCursor(page.cursor) });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ listId }) => encodeIdCursor(listId));
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), page: { nextCursor } };
  });
