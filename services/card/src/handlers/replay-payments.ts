import { timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ReplayPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Payment } from '../domain/payment.ts';
import { ordersOf } from '../domain/replay-orders.ts';
import type { Dependencies } from './dependencies.ts';

/** Begins the cursors of the pages with reports in suspense, which follow those of the payments. */
const OF_SUSPENSE = 'suspense.';

/** Orders from the ledger again what a page of payments, or of reports in suspense, has ordered. */
export const replayPayments = ({ payments, exceptions, suspense, effects }: Dependencies) =>
  serviceMethod(async (request: ReplayPaymentsRequest, { logger }) => {
    const since = request.changedSince && timestampDate(request.changedSince);
    const { limit, cursor } = pageOf(request);
    if (cursor.startsWith(OF_SUSPENSE)) {
      const after = decodeIdCursor(cursor.slice(OF_SUSPENSE.length));
      const found = await exceptions.pageOfSuspended(since, after, limit + 1);
      const { rows, nextCursor } = cutPage(found, limit, ({ id }) => OF_SUSPENSE + encodeIdCursor(id));
      for (const exception of rows) await suspense.replay(exception);
      return { orders: rows.length, page: { nextCursor } };
    }
    const found = await payments.pageOfAll(since, decodeIdCursor(cursor), limit + 1);
    const { rows, nextCursor } = cutPage(found, limit, ({ id }) => encodeIdCursor(id));
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
    const page = { nextCursor: nextCursor === '' ? OF_SUSPENSE : nextCursor };
    return { payments: rows.length, orders: count, skippedPaymentIds, rejectedPaymentIds, page };
  });
