import { timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ReplayPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { serviceMethod } from '@florin/rpc/server';
import { ordersOf } from '../domain/replay-orders.ts';
import type { Dependencies } from './dependencies.ts';

/** Orders from the ledger again what a page of payments has ordered. */
export const replayPayments = ({ payments, effects }: Dependencies) =>
  serviceMethod(async (request: ReplayPaymentsRequest, { logger }) => {
    const since = request.changedSince && timestampDate(request.changedSince);
    const page = pageOf(request);
    const found = await payments.pageOfAll(since, decodeIdCursor(page.cursor), page.limit + 1);
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const skippedPaymentIds: string[] = [];
    const rejectedPaymentIds: string[] = [];
    let count = 0;
    for (const payment of rows) {
      const orders = ordersOf(payment);
      if (orders === undefined) skippedPaymentIds.push(payment.id);
      else if ((await effects.repeat(payment, orders, logger)) > 0) rejectedPaymentIds.push(payment.id);
      count += orders?.length ?? 0;
    }
    return { payments: rows.length, orders: count, skippedPaymentIds, rejectedPaymentIds, page: { nextCursor } };
  });
