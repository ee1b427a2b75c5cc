import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import {
  cardTransaction,
  toCardTransaction,
  toWireKind,
  toWireStatus,
  transactionKind,
  transactionStatus,
} from '../../schemas/card-transaction.ts';
import { currencyInput, id } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

const time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with an offset' }).optional();

const timeOf = (name: 'from' | 'to', text: string | undefined) => (text === undefined ? {} : { [name]: timestampFromDate(new Date(text)) });

export const transactionQuery = pageQuery
  .extend({
    cardId: id.optional(),
    status: transactionStatus.optional(),
    kind: transactionKind.optional(),
    after: time.meta({ description: 'Only transactions created at or after this time' }),
    before: time.meta({ description: 'Only transactions created before this time' }),
    currency: currencyInput.optional().meta({ description: 'Currency of the transaction' }),
    mcc: z
      .string()
      .regex(/^[0-9]{4}$/, 'must be four digits')
      .optional()
      .meta({ description: 'Merchant category code' }),
  })
  .refine(({ after, before }) => after === undefined || before === undefined || new Date(after) <= new Date(before), {
    path: ['after'],
    message: 'must not be later than before',
  });

export const toPaymentQuery = (query: z.output<typeof transactionQuery>) => ({
  cardId: query.cardId ?? '',
  status: toWireStatus(query.status),
  kind: toWireKind(query.kind),
  currency: query.currency ?? '',
  categoryCode: query.mcc ?? '',
  ...timeOf('from', query.after),
  ...timeOf('to', query.before),
  page: toPageRequest(query),
});

export const listCardTransactions = defineRoute({
  operationId: 'listCardTransactions',
  method: 'get',
  path: '/cards/transactions',
  tag: 'Cards',
  summary: 'List card transactions',
  description: "Returns the card transactions of the caller's cards, newest first, declined ones included.",
  policy: 'user',
  query: transactionQuery,
  answers: { 200: z.object({ data: z.array(cardTransaction), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { payments, page } = await upstream.cardPayments.listPayments(toPaymentQuery(query), asCaller);
    return { data: payments.map(toCardTransaction), pagination: toPagination(page) };
  },
});
