import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListDisputesRequest } from '@florin/proto/card/v1/payment_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dispute } from '../domain/dispute.ts';
import type { Dependencies } from './dependencies.ts';
import { toWirePayment } from './to-wire-payment.ts';

/** Returns a page of the payments of all users with disputes of a status, newest first. */
export const listDisputes = ({ payments, program }: Dependencies) =>
  serviceMethod(async (request: ListDisputesRequest) => {
    const page = pageOf(request);
    const found = await payments.findDisputed(request.status as Dispute['status'], page.limit + 1, decodeIdCursor(page.cursor));
    const { rows, nextCursor } = cutPage(found, page.limit, ({ listId }) => encodeIdCursor(listId));
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), page: { nextCursor } };
  });
