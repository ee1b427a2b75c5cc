import type { CallOptions } from '@connectrpc/connect';
import { type StatementLine, StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { formatAmount, minorUnitDigits } from '@florin/rpc/money';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { inOrder, periodQuery, toPeriod } from '../../schemas/period.ts';
import { passesFilters, statementFilters, statementLine, toStatementLine } from '../../schemas/statement.ts';

const LINES_PER_CALL = 100;

const COLUMNS = [
  ...(['id', 'createdAt', 'kind', 'reference', 'txHash', 'token', 'currency', 'amount', 'balanceAfter', 'merchant'] as const),
  ...([
    'originalAmount',
    'originalCurrency',
    'exchangeRate',
    'markup',
    'referenceRate',
    'referenceDate',
    'overReferenceBasisPoints',
  ] as const),
  ...(['description', 'cardTransactionId', 'disputeId', 'debtRepaid', 'debtIncurred'] as const),
] as const;

/** Kinds of lines that card transactions cause. */
const MAY_BE_CARD: ReadonlySet<StatementLineKind> = new Set([StatementLineKind.CARD_PAYMENT, StatementLineKind.TRANSFER]);

/** The lines with the card transactions that they belong to. */
const withPayments = async (lines: readonly StatementLine[], payments: Upstream['cardPayments'], asCaller: CallOptions) => {
  const mayBeCard = ({ kind }: StatementLine) => MAY_BE_CARD.has(kind);
  const references = lines.filter(mayBeCard).map(({ reference }) => reference);
  if (references.length === 0) return lines.map((line) => toStatementLine(line, undefined, undefined));
  const found = await payments.findPayments({ references }, asCaller);
  const byId = new Map(found.payments.map((payment) => [payment.id, payment]));
  return lines.map((line) => {
    const payment = mayBeCard(line) ? byId.get(found.paymentIds[line.reference] ?? '') : undefined;
    return toStatementLine(line, payment, found.foreignAmounts[line.postingId || line.reference]);
  });
};

/**
 * A decimal number with a point, independent of the reader's locale, with the digits of the currency, and more where the token has them and they are not zeros: an
 * amount is never rounded.
 */
const toDecimal = (amount: string, decimals: number, currency: string): string => {
  const [whole = '', fraction = ''] = formatAmount(BigInt(amount), decimals).split('.');
  const digits = fraction.replace(/0+$/, '').padEnd(Math.min(minorUnitDigits(currency) ?? decimals, decimals), '0');
  return digits === '' ? whole : `${whole}.${digits}`;
};

const toRow = (line: z.output<typeof statementLine>): string[] => {
  const decimal = (amount: string | undefined) => (amount === undefined ? '' : toDecimal(amount, line.decimals, line.currency));
  const { foreign } = line;
  const { rate = '', markupAmount } = foreign?.fx ?? {};
  const { referenceRate = '', referenceDate = '', overReferenceBasisPoints = '' } = foreign?.conversionCost ?? {};
  const cells = {
    ...line,
    txHash: line.txHash ?? '',
    amount: decimal(line.amount),
    balanceAfter: decimal(line.balanceAfter),
    merchant: line.merchant?.name ?? '',
    originalAmount: foreign === undefined ? '' : toDecimal(foreign.originalAmount, foreign.originalDecimals, foreign.originalCurrency),
    originalCurrency: foreign?.originalCurrency ?? '',
    cardTransactionId: line.cardTransactionId ?? '',
    disputeId: line.disputeId ?? '',
    debtRepaid: decimal(line.debtRepaid),
    debtIncurred: decimal(line.debtIncurred),
    exchangeRate: rate,
    markup: foreign === undefined || markupAmount === undefined ? '' : toDecimal(markupAmount, foreign.decimals, line.currency),
    referenceRate,
    referenceDate,
    overReferenceBasisPoints: `${overReferenceBasisPoints}`,
  };
  return COLUMNS.map((column) => cells[column]);
};

/** Of a date in ISO 8601, which a time begins with. */
const DATE_LENGTH = 10;

export const listStatement = defineRoute({
  operationId: 'listStatement',
  method: 'get',
  path: '/user/statement',
  tag: 'User Movements',
  summary: 'Get the statement',
  description:
    'Returns the booked movements of the account, newest first: approved deposits, completed withdrawals, captured card payments, refunds, credits of disputes, adjustments and transfers, each with the balance after it. The balance after a line is the balance after the next older line of the same token plus the amount. A page that is filtered by kind, token or currency may be short, or empty, although `hasNext` is true. With `Accept: text/csv` the response is a table of the whole period.',
  policy: 'user',
  query: inOrder(pageQuery.extend({ ...statementFilters.shape, ...periodQuery.shape })),
  answers: { 200: z.object({ data: z.array(statementLine), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { lines, page } = await upstream.statements.listStatement({ page: toPageRequest(query), ...toPeriod(query) }, asCaller);
    const found = await withPayments(lines, upstream.cardPayments, asCaller);
    return { data: found.filter((line) => passesFilters(query, line)), pagination: toPagination(page) };
  },
  csv: {
    fileName: ({ query: { from, to } }) =>
      `${['statement', from, to]
        .filter(Boolean)
        .map((part) => String(part).slice(0, DATE_LENGTH))
        .join('-')}.csv`,
    description: `CSV (RFC 4180) in UTF-8. The first row is \`${COLUMNS.join(',')}\`. Times are in UTC. Of card transactions in another currency, \`originalAmount\`, \`originalCurrency\`, \`exchangeRate\` and \`markup\` have the amount there, the rate without the mark-up, and the mark-up, which is a part of the amount; \`referenceRate\`, \`referenceDate\` and \`overReferenceBasisPoints\` compare it with the reference rate of the European Central Bank, where that was known. Amounts are decimal numbers with a point and the decimals of their currency, and more where the token has them and they are not zero. The table covers the whole period and ignores \`limit\` and \`cursor\`. It is sent as it is read; if that fails midway, the connection is closed before the end of the response. A user can have one table at a time.`,
    columns: COLUMNS,
    pages: async function* ({ query }, { upstream, asCaller }) {
      const period = toPeriod(query);
      let cursor = '';
      do {
        const { lines, page } = await upstream.tables.listStatement({ page: { limit: LINES_PER_CALL, cursor }, ...period }, asCaller);
        const found = await withPayments(lines, upstream.cardPayments, asCaller);
        yield found.filter((line) => passesFilters(query, line)).map(toRow);
        cursor = page?.nextCursor ?? '';
      } while (cursor !== '');
    },
  },
});
