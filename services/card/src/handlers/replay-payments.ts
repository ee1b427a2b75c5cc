import { timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ReplayPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Payment } from '../domain/payment.ts';
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
    /** Repeats the orders of a payment, and those of events that were recorded in the meantime, which have met the ledger as it was. */
    const replay = async (payment: Payment): Promise<void> => {
      const orders = ordersOf(payment);
      if (orders === undefined) {
        skippedPaymentIds.push(payment.id);
        return;
      }
      const rejected = await effects.repeat(payment, orders, logger);
      count += orders.length;
      const latest = await payments.find(payment.id);
      if (latest !== undefined && latest.revision > payment.revision) await replay(latest);
      else if (rejected > 0) rejectedPaymentIds.push(payment.id);
    };
    for (const payment of rows) await replay(payment);
    return { payments: rows.length, orders: count, skippedPaymentIds, rejectedPaymentIds, page: { nextCursor } };
  });
