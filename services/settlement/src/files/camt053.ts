import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Amount } from '@florin/rpc/money';
import sax from 'sax';
import { namesDay } from '../domain/record.ts';
import { FileError, type FileRecord, toMinorUnit } from './file-record.ts';

/** An entry of a statement, as far as it was read. Texts are those of the elements that begin the names of the fields. */
type Entry = {
  amount: string;
  currency: string;
  direction: string;
  status: string;
  date: string;
  reference: string;
  /** End-to-end ids and remittance texts, which may name what the entry settles. */
  texts: string[];
};

const ENTRY = 'Document/BkToCstmrStmt/Stmt/Ntry';
const POSITION = /\bpayable\/[a-z0-9][a-z0-9-]{0,39}\/20[0-9]{2}-[0-9]{2}-[0-9]{2}\b/i;

/** Ids of the contract are printable without spaces; another reference is replaced by its hash. */
const toId = (reference: string): string => (/^[\x21-\x7e]{1,100}$/.test(reference) ? reference : hash('sha256', reference));

/** The payer chooses the texts, so they must name one position only. */
const settledBy = (texts: readonly string[]): string => {
  const named = new Set(texts.flatMap((text) => POSITION.exec(text)?.[0].toLowerCase() ?? []));
  const [position = '', ...others] = named;
  if (named.size > 0) return others.length === 0 && namesDay(position) ? position : '';
  return texts.some((text) => text.trim().toLowerCase() === 'treasury') ? 'treasury' : '';
};

/** A balance of a statement, of the type that a code names. */
type StatedBalance = { type: string; amount: string; currency: string; direction: string };

const BALANCE = 'Document/BkToCstmrStmt/Stmt/Bal';
const ACCOUNT = /^Document\/BkToCstmrStmt\/Stmt\/Acct\/Id\/(?:IBAN|Othr\/Id)$/;
const OPENING = ['OPBD', 'PRCD', 'ITBD'];
const CLOSING = ['CLBD', 'ITBD'];

/** The content of one statement (or of one page of it): its entries lead from its first balance to its last one. */
export type Statement = {
  id: string;
  /** IBAN, or another number. */
  account: string;
  currency: string;
  /** In the currency's minor unit. */
  opening: Amount;
  records: FileRecord[];
};

const newEntry = (): Entry => ({ amount: '', currency: '', direction: '', status: '', date: '', reference: '', texts: [] });

/** Takes the text of an element within an entry. @param path from the entry on */
const take = (entry: Entry, path: string, text: string): void => {
  if (path === 'Amt') entry.amount = text;
  else if (path === 'CdtDbtInd') entry.direction = text;
  else if (path === 'Sts' || path === 'Sts/Cd') entry.status = text || entry.status;
  else if (path === 'BookgDt/Dt' || path === 'BookgDt/DtTm') entry.date = text.slice(0, 10);
  else if (path === 'AcctSvcrRef') entry.reference = text;
  else if (/^NtryDtls\/TxDtls\/(?:Refs\/EndToEndId|RmtInf\/Ustrd)$/.test(path)) entry.texts.push(text);
};

/**
 * Reads bank statements (ISO 20022, camt.053, of any version), their booked entries as movements of the bank account. An entry is named by the bank's reference
 * (AcctSvcrRef), or by its statement, its place in it and the page. It settles the position that an end-to-end id or a remittance text names, or `treasury` if that is all that one
 * says. Declarations of document types are rejected, and entities besides those of XML are not expanded.
 * @throws FileError
 */
export const readCamt053 = async function* (text: Readable, source: string): AsyncIterable<Statement> {
  const parser = sax.parser(true, { trim: true });
  const ready: Statement[] = [];
  let records: FileRecord[] = [];
  let balances: StatedBalance[] = [];
  let account = '';
  const path: string[] = [];
  let [statement, page, place] = ['', '', 0];
  let entry: Entry | undefined;
  let content = '';
  let isStatement = false;

  /** How often a statement has used each reference. */
  const seen = new Map<string, number>();
  const fail = (problem: string): never => {
    throw new FileError(`line ${parser.line + 1}`, problem);
  };
  const finish = ({ amount, currency, direction, status, date, reference, texts }: Entry): void => {
    // Pending entries, and those for information only, are stated again once they are booked.
    if (status !== 'BOOK') return;
    if (direction !== 'CRDT' && direction !== 'DBIT') fail(`"${direction}" is not a direction`);
    if (amount.startsWith('-')) fail(`"${amount}" is not an amount: its direction says its sign`);
    const units = toMinorUnit(amount, currency, `line ${parser.line + 1}`);
    // Returns, charges and parts of a batch may have the reference of the entry that they belong to.
    const times = (seen.get(reference) ?? 0) + 1;
    seen.set(reference, times);
    const own = times === 1 ? reference : `${reference}#${times}`;
    // The pages of a statement have one id.
    const ofPage = /^(?:0*1)?$/.test(page) ? '' : `#${page}`;
    const id = toId(reference === '' || reference === 'NONREF' ? `${statement}/${place}${ofPage}` : own);
    const settles = settledBy(texts);
    const movement = { amount: direction === 'DBIT' ? `-${units}` : units, ...(settles === '' ? {} : { settles }) };
    if (units !== '0') records.push({ source, id, date, currency, bankMovement: movement });
  };

  const endStatement = (): void => {
    const place = `statement ${statement}`;
    const signed = ({ amount, currency, direction }: StatedBalance): Amount => {
      const units = BigInt(toMinorUnit(amount, currency, place));
      return direction === 'DBIT' ? -units : units;
    };
    const [opening] = OPENING.flatMap((type) => balances.find((one) => one.type === type) ?? []);
    const [closing] = CLOSING.flatMap((type) => balances.findLast((one) => one.type === type) ?? []);
    if (opening === undefined || closing === undefined || opening === closing || account === '')
      throw new FileError(place, 'the account, or its balance before or after, is missing', 'BALANCE_MISSING');
    const { currency } = opening;
    const sum = records.reduce((all, { bankMovement }) => all + BigInt(bankMovement?.['amount'] ?? '0'), 0n);
    const isOther = [closing, ...records].some((one) => one.currency !== currency);
    if (isOther || signed(opening) + sum !== signed(closing))
      throw new FileError(
        place,
        `${opening.amount} and the entries are not ${closing.amount} ${currency}: a part of it is missing`,
        'BALANCE_WRONG',
      );
    ready.push({ id: statement, account, currency, opening: signed(opening), records });
    [records, balances, account] = [[], [], ''];
  };

  parser.ondoctype = () => fail('a document type is declared');
  parser.onerror = (error) => fail(error.message.split('\n')[0] ?? 'the file is not XML');
  parser.onopentag = ({ name, attributes }) => {
    // Prefixes of namespaces are the file's own.
    path.push(name.slice(name.indexOf(':') + 1));
    content = '';
    const at = path.join('/');
    if (at === 'Document/BkToCstmrStmt/Stmt') {
      isStatement = true;
      [statement, page, place] = ['', '', 0];
      seen.clear();
    }
    if (at === ENTRY) {
      place += 1;
      entry = newEntry();
    }
    if (at === BALANCE) balances.push({ type: '', amount: '', currency: '', direction: '' });
    const balance = balances.at(-1);
    if (balance !== undefined && at === `${BALANCE}/Amt`) balance.currency = String(attributes['Ccy'] ?? '');
    if (entry !== undefined && at === `${ENTRY}/Amt`) entry.currency = String(attributes['Ccy'] ?? '');
  };
  parser.ontext = (part) => {
    content += part;
  };
  parser.oncdata = parser.ontext;
  parser.onclosetag = () => {
    const at = path.join('/');
    path.pop();
    if (at === 'Document/BkToCstmrStmt/Stmt/Id') statement = content;
    if (at === 'Document/BkToCstmrStmt/Stmt/StmtPgntn/PgNb') page = content;
    if (ACCOUNT.test(at)) account = content;
    const balance = balances.at(-1);
    if (balance !== undefined && at === `${BALANCE}/Tp/CdOrPrtry/Cd`) balance.type = content;
    if (balance !== undefined && at === `${BALANCE}/Amt`) balance.amount = content;
    if (balance !== undefined && at === `${BALANCE}/CdtDbtInd`) balance.direction = content;
    if (at === 'Document/BkToCstmrStmt/Stmt') endStatement();
    if (entry !== undefined && at.startsWith(`${ENTRY}/`)) take(entry, at.slice(ENTRY.length + 1), content);
    if (entry !== undefined && at === ENTRY) {
      finish(entry);
      entry = undefined;
    }
    content = '';
  };

  for await (const part of text as AsyncIterable<string>) {
    parser.write(part);
    yield* ready.splice(0);
  }
  parser.close();
  yield* ready.splice(0);
  if (!isStatement) throw new FileError('file', 'is not a bank statement (camt.053)');
};
