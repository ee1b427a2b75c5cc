import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageSchema } from '@florin/data/paging';
import { PaymentKind, PaymentStatus } from '@florin/proto/card/v1/payment';
import type { ListPaymentsRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { paymentKindFromWire, paymentStatusFromWire, toWirePayment } from './to-wire-payment.ts';

const time = z
  .custom<Timestamp>()
  .optional()
  .transform((timestamp) => timestamp && timestampDate(timestamp))
  .refine((date) => date === undefined || !Number.isNaN(date.getTime()), 'must be a time');

const requestSchema = z
  .object({
    cardId: unlessEmpty(uuidSchema),
    status: z.enum(PaymentStatus, 'must be a known status').transform(paymentStatusFromWire),
    kind: z.enum(PaymentKind, 'must be a known kind').transform(paymentKindFromWire),
    from: time,
    to: time,
    currency: unlessEmpty(z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')),
    categoryCode: unlessEmpty(z.string().regex(/^[0-9]{4}$/, 'must be four digits')),
    page: pageSchema,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, { path: ['from'], message: 'must not be after to' });

/** Returns a page of a user's card transactions, newest first. */
export const listPayments = ({ payments, program }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.readPayments, async (request: ListPaymentsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { page, ...filter } = parseRequest(requestSchema, request);
    const found = await payments.page(userId, { ...filter, limit: page.limit + 1, before: decodeIdCursor(page.cursor) });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ listId }) => encodeIdCursor(listId));
    return { payments: rows.map((payment) => toWirePayment(payment, program, false)), page: { nextCursor } };
  });
