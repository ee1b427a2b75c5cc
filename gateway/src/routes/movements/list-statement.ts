import { CodedError } from '@florin/rpc/errors';
import { formatAmount } from '@florin/rpc/money';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { periodQuery, toPeriod } from '../../schemas/period.ts';
import { statementLine, toStatementLine } from '../../schemas/statement.ts';

/** Lines in one CSV answer; some megabytes. */
const MAX_CSV_LINES = 10_000;
const LINES_PER_CALL = 100;

const COLUMNS = ['id', 'createdAt', 'kind', 'reference', 'txHash', 'token', 'currency', 'amount', 'balanceAfter'] as const;

/** Accounts are kept in decimals: amounts carry all of the token's, with a point, whatever the reader's locale. */
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
  summary: 'What was booked, newest first, with the balance after each',
  description:
    'Deposits that were approved, withdrawals that were completed, card payments that were taken, and transfers. The balance after a line is that after the next older line of the same token plus the amount. `Accept: text/csv` answers the whole period as a table.',
  policy: 'user',
  query: pageQuery.extend(periodQuery.shape),
  answers: { 200: z.object({ data: z.array(statementLine), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { lines, page } = await upstream.statements.listStatement({ page: toPageRequest(query), ...toPeriod(query) }, asCaller);
    return { data: lines.map(toStatementLine), pagination: toPagination(page) };
  },
  csv: {
    fileName: 'statement.csv',
    description: `RFC 4180, UTF-8. The first row is ${COLUMNS.join(',')}. Amounts are decimal numbers with all decimals of the token. The whole period, \`limit\` and \`cursor\` aside; more than ${MAX_CSV_LINES} lines are a validation error, ask for a shorter period then.`,
    rows: async ({ query }, { upstream, asCaller }) => {
      const period = toPeriod(query);
      const rows: string[][] = [[...COLUMNS]];
      let cursor = '';
      do {
        const { lines, page } = await upstream.statements.listStatement({ page: { limit: LINES_PER_CALL, cursor }, ...period }, asCaller);
        rows.push(...lines.map((line) => toRow(toStatementLine(line))));
        if (rows.length - 1 > MAX_CSV_LINES) {
          throw new CodedError('VALIDATION_FAILED', { message: `from: the period has more than ${MAX_CSV_LINES} lines` });
        }
        cursor = page?.nextCursor ?? '';
      } while (cursor !== '');
      return rows;
    },
  },
});
