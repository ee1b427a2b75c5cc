import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
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

/** Whoever pays chooses the texts: what they name must be one position. */
const settledBy = (texts: readonly string[]): string => {
  const named = new Set(texts.flatMap((text) => POSITION.exec(text)?.[0].toLowerCase() ?? []));
  const [position = '', ...others] = named;
  if (named.size > 0) return others.length === 0 && namesDay(position) ? position : '';
  return texts.some((text) => text.trim().toLowerCase() === 'treasury') ? 'treasury' : '';
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
 * Reads the booked entries of a bank statement (ISO 20022, camt.053, of any version) as movements of the bank account. An entry is named by the bank's reference
 * (AcctSvcrRef), or by its statement and its place in it. It settles the position that an end-to-end id or a remittance text names, or `treasury` if that is all that one
 * says. Declarations of document types are rejected, and entities besides those of XML are not expanded.
 * @throws FileError
 */
export const readCamt053 = async function* (text: Readable, source: string): AsyncIterable<FileRecord> {
  const parser = sax.parser(true, { trim: true });
  const ready: FileRecord[] = [];
  const path: string[] = [];
  let [statement, place] = ['', 0];
  let entry: Entry | undefined;
  let content = '';
  let isStatement = false;

  const fail = (problem: string): never => {
    throw new FileError(`line ${parser.line + 1}`, problem);
  };
  const finish = ({ amount, currency, direction, status, date, reference, texts }: Entry): void => {
    // Pending entries, and those for information only, are stated again once they are booked.
    if (status !== 'BOOK') return;
    if (direction !== 'CRDT' && direction !== 'DBIT') fail(`"${direction}" is not a direction`);
    const units = toMinorUnit(amount, currency, `line ${parser.line + 1}`);
    const id = toId(reference === '' || reference === 'NONREF' ? `${statement}/${place}` : reference);
    const settles = settledBy(texts);
    const movement = { amount: direction === 'DBIT' ? `-${units}` : units, ...(settles === '' ? {} : { settles }) };
    if (units !== '0') ready.push({ source, id, date, currency, bankMovement: movement });
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
      [statement, place] = ['', 0];
    }
    if (at === ENTRY) {
      place += 1;
      entry = newEntry();
    }
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
