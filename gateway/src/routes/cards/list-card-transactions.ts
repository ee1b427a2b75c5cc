import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { cardTransaction, toCardTransaction, transactionKind, transactionStatus } from '../../schemas/card-transaction.ts';
import { currencyInput, id } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { inOrder, renamedPeriodQuery, toPeriod } from '../../schemas/period.ts';
import { displayed } from '../../schemas/text.ts';

const categoryCode = z.string().regex(/^[0-9]{4}$/, 'must be four digits');

/** As many as a kind of merchant has that people know by one name. */
const categoryCodes = z
  .string()
  .regex(/^[0-9]{4}(-[0-9]{4})?(,[0-9]{4}(-[0-9]{4})?){0,63}$/, 'must be four digits, or up to 64 codes and ranges separated by commas');

export const transactionQuery = inOrder(
  pageQuery.extend({
    cardId: id.optional(),
    status: transactionStatus.schema.optional(),
    kind: transactionKind.schema.optional(),
    ...renamedPeriodQuery.shape,
    currency: currencyInput.optional().meta({ description: 'Currency of the transaction' }),
    categoryCode: categoryCodes.optional().meta({
      description: 'Merchant category code (ISO 18245), or several codes and ranges of them, separated by commas',
      examples: ['5942', '3000-3299,4511'],
    }),
    mcc: categoryCode.optional().meta({ description: 'The same as `categoryCode`, which takes precedence', deprecated: true }),
    merchant: displayed(40)
      .optional()
      .meta({ description: "A part of the merchant's name, in any case", examples: ['book'] }),
  }),
);

export const toPaymentQuery = (query: z.output<typeof transactionQuery>) => ({
  cardId: query.cardId ?? '',
  status: transactionStatus.toValue(query.status),
  kind: transactionKind.toValue(query.kind),
  currency: query.currency ?? '',
  categoryCode: query.categoryCode ?? query.mcc ?? '',
  merchantName: query.merchant ?? '',
  ...toPeriod(query),
  page: toPageRequest(query),
});

export const listCardTransactions = defineRoute({
  operationId: 'listCardTransactions',
  method: 'get',
  path: '/cards/transactions',
  tag: 'Cards',
  summary: 'List card transactions',
  description:
    "Returns the card transactions of the caller's cards, newest first, declined ones included. The period is that of `createdAt`.",
  policy: 'user',
  query: transactionQuery,
  answers: { 200: z.object({ data: z.array(cardTransaction), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { payments, page } = await upstream.cardPayments.listPayments(toPaymentQuery(query), asCaller);
    return { data: payments.map(toCardTransaction), pagination: toPagination(page) };
  },
});
