import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { formatAmount } from '@florin/rpc/money';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { inOrder, periodQuery, toPeriod } from '../../schemas/period.ts';
import { statementLine, toStatementLine } from '../../schemas/statement.ts';

const LINES_PER_CALL = 100;

const COLUMNS = ['id', 'createdAt', 'kind', 'reference', 'txHash', 'token', 'currency', 'amount', 'balanceAfter'] as const;

/** Kinds of lines that card transactions cause. */
const MAY_BE_CARD: ReadonlySet<StatementLineKind> = new Set([StatementLineKind.CARD_PAYMENT, StatementLineKind.TRANSFER]);

/** Amounts are decimal numbers with a point and all decimals of the token, independent of the reader's locale. */
const toRow = (line: z.output<typeof statementLine>): string[] => {
  const decimal = (amount: string) => formatAmount(BigInt(amount), line.decimals);
  const cells = { ...line, txHash: line.txHash ?? '', amount: decimal(line.amount), balanceAfter: decimal(line.balanceAfter) };
  return COLUMNS.map((column) => cells[column]);
};

export const listStatement = defineRoute({
  operationId: 'listStatement',
  method: 'get',
  path: '/user/statement',
  tag: 'User Movements',
  summary: 'Get the statement',
  description:
    'Returns the booked movements of the account, newest first: approved deposits, completed withdrawals, captured card payments and transfers, each with the balance after it. The balance after a line is the balance after the next older line of the same token plus the amount. With `Accept: text/csv` the response is a table of the whole period.',
  policy: 'user',
  query: inOrder(pageQuery.extend(periodQuery.shape)),
  answers: { 200: z.object({ data: z.array(statementLine), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { lines, page } = await upstream.statements.listStatement({ page: toPageRequest(query), ...toPeriod(query) }, asCaller);
    const references = lines.filter(({ kind }) => MAY_BE_CARD.has(kind)).map(({ reference }) => reference);
    const { paymentIds } =
      references.length === 0 ? { paymentIds: {} } : await upstream.cardPayments.findPayments({ references }, asCaller);
    return { data: lines.map((line) => toStatementLine(line, paymentIds)), pagination: toPagination(page) };
  },
  csv: {
    fileName: 'statement.csv',
    description: `CSV (RFC 4180) in UTF-8. The first row is \`${COLUMNS.join(',')}\`. Amounts are decimal numbers with all decimals of the token. The table covers the whole period and ignores \`limit\` and \`cursor\`. It is sent as it is read; if that fails midway, the connection is closed before the end of the response. A user can have one table at a time.`,
    columns: COLUMNS,
    pages: async function* ({ query }, { upstream, asCaller }) {
      const period = toPeriod(query);
      let cursor = '';
      do {
        const { lines, page } = await upstream.tables.listStatement({ page: { limit: LINES_PER_CALL, cursor }, ...period }, asCaller);
        yield lines.map((line) => toRow(toStatementLine(line)));
        cursor = page?.nextCursor ?? '';
      } while (cursor !== '');
    },
  },
});
