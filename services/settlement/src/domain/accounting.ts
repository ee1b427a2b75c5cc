import { formatAmount, minorUnitDigits } from '@florin/rpc/money';
import type { BookedRecord } from './block.ts';
import { keyOf, legsOf, parse } from './record.ts';

/** The kinds of accounts in the charts of accounting programs, by the first part of an account's name. */
const GROUPS: Readonly<Record<string, string>> = {
  receivable: 'assets',
  treasury: 'assets',
  bank: 'assets',
  payable: 'liabilities',
  interchange: 'income',
  scheme_fees: 'expenses',
  processor_fees: 'expenses',
  fx_income: 'income',
  fees: 'income',
  losses: 'expenses',
  unexplained: 'equity',
};

/** A text within quotes (RFC 4180). A spreadsheet computes what begins with `=`, `+`, `-` or `@`, also within them. */
const quote = (text: string): string => `"${/^[=+\-@\t]/.test(text) ? `'${text}` : text}"`.replaceAll(/(?<!^)"(?!$)/g, '""');

/** Text of a comment or description, in which a line ends nothing and a semicolon begins nothing. */
const plain = (text: string): string => text.replaceAll(/[\r\n;|]/g, ' ');

type Format = { header: string; entry: (record: Pick<BookedRecord, 'day' | 'line'>) => string };

/** The formats in which accounting programs take records. Amounts are decimal, a debit is positive, and each entry adds up to zero. */
export const FORMATS: Readonly<Record<'csv' | 'journal', Format>> = {
  /** A line for each leg. */
  csv: {
    header: 'day,date,source,id,kind,account,currency,amount\n',
    entry: ({ day, line }) => {
      const record = parse(line);
      const { date, source, id, kind, currency } = record;
      const legs = legsOf(record).map(({ account, amount }) => {
        const decimal = formatAmount(amount, minorUnitDigits(currency) ?? 0);
        return `${day},${date},${source},${quote(id)},${kind},${account},${currency},${decimal}\n`;
      });
      return legs.join('');
    },
  },
  /** The plain text of ledger and hledger. The second date is that of the record. */
  journal: {
    header: '; Florin settlement\n',
    entry: ({ day, line }) => {
      const record = parse(line);
      const { date, kind, currency } = record;
      const note = record.kind === 'correction' ? ` ${plain(record.note)}` : '';
      const legs = legsOf(record).map(({ account, amount }) => {
        const name = account.replaceAll('/', ':');
        const group = GROUPS[name.split(':')[0] ?? ''] ?? 'equity';
        return `    ${group}:${name}  ${formatAmount(amount, minorUnitDigits(currency) ?? 0)} ${currency}\n`;
      });
      return `\n${day}=${date} ${kind}${note}  ; record: ${plain(keyOf(record))}\n${legs.join('')}`;
    },
  },
};
