import { createReadStream } from 'node:fs';
import type { Amount } from '@florin/rpc/money';
import { readCamt053, type Statement } from './camt053.ts';
import { readCsv } from './csv.ts';
import { FileError, type FileRecord } from './file-record.ts';

/** Asks the books about a bank statement: the balance of the bank in its currency, and if they have a record of it, or another one of its id. */
export type BankBooks = (
  statement: Statement,
) => Promise<{ bank: Amount; bookedAs: (record: FileRecord) => 'equal' | 'other' | undefined }>;

/**
 * Requires that a statement begins where the books end, unless it is booked already: otherwise one before it is missing, or is there twice.
 * @throws FileError ACCOUNT_UNKNOWN, CONFLICTING, BALANCE_DIFFERS
 */
const requireNext = async (statement: Statement, accounts: readonly string[], booksOf: BankBooks): Promise<void> => {
  const { id, account, currency, opening, records } = statement;
  const place = `statement ${id} of account ${account}`;
  if (accounts.length > 0 && !accounts.includes(account))
    throw new FileError(place, 'SETTLEMENT_BANK_ACCOUNTS does not have it', 'ACCOUNT_UNKNOWN');
  const { bank, bookedAs } = await booksOf(statement);
  const other = records.find((record) => bookedAs(record) === 'other');
  if (other !== undefined) throw new FileError(place, `another movement is booked under the id ${other.id}`, 'CONFLICTING');
  const booked = records.filter((record) => bookedAs(record) === 'equal');
  if (booked.length === records.length) return;
  const expected = booked.reduce((sum, { bankMovement }) => sum + BigInt(bankMovement?.['amount'] ?? '0'), opening);
  if (bank !== expected)
    throw new FileError(
      place,
      `it begins with ${opening} ${currency} in the minor unit, and the books end with ${bank + opening - expected}: a statement is missing or there twice, or the first balance was not booked`,
      'BALANCE_DIFFERS',
    );
};

/**
 * Reads the records of a file: of ISO 20022 bank statements (camt.053, `.xml`), each once it begins where the books end; or of the CSV format of README.md, as they come. Records
 * before a fault may be imported: the corrected file repeats them.
 * @param source issuer of records that state none
 * @param accounts bank accounts whose statements are booked; none: any
 * @throws FileError
 */
export const readRecords = async function* (
  path: string,
  source: string,
  accounts: readonly string[],
  booksOf: BankBooks,
): AsyncIterable<readonly FileRecord[]> {
  const text = createReadStream(path, 'utf8');
  if (path.toLowerCase().endsWith('.xml')) {
    for await (const statement of readCamt053(text, source)) {
      await requireNext(statement, accounts, booksOf);
      yield statement.records;
    }
    return;
  }
  for await (const record of readCsv(text, source)) yield [record];
};
