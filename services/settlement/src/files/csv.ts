import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { FileError, type FileRecord, toMinorUnit } from './file-record.ts';

/** The columns, by the fields of the contract that they fill. */
const COLUMNS = {
  common: ['source', 'kind', 'id', 'date', 'currency', 'amount'],
  amounts: { interchange: 'interchange', scheme_fee: 'schemeFee', processor_fee: 'processorFee' },
  texts: {
    network: 'network',
    event_id: 'eventId',
    transaction_id: 'transactionId',
    acquirer_reference: 'acquirerReference',
    settles: 'settles',
  },
} as const;
const KNOWN: ReadonlySet<string> = new Set([...COLUMNS.common, ...Object.keys(COLUMNS.amounts), ...Object.keys(COLUMNS.texts)]);
const REQUIRED = ['kind', 'id', 'date', 'currency', 'amount'];
const KINDS = { clearing: 'clearing', bank: 'bankMovement', collection: 'collection' } as const;

/** A file of another size was not made for this. */
const MAX_LINE = 10_000;

type Row = Readonly<Record<string, string>>;

const header = (names: readonly string[]): string[] => {
  const unknown = names.find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new FileError('header', `there is no column "${unknown}"`);
  const missing = REQUIRED.find((name) => !names.includes(name));
  if (missing !== undefined) throw new FileError('header', `the column "${missing}" is missing`);
  return [...names];
};

const toRecord = (row: Row, source: string, place: string): FileRecord => {
  const { kind = '', id = '', date = '', currency = '', amount = '' } = row;
  if (!Object.hasOwn(KINDS, kind)) throw new FileError(place, `"${kind}" is not a kind: ${Object.keys(KINDS).join(', ')}`);
  const fees = Object.entries(COLUMNS.amounts).flatMap(([column, field]): [string, string][] => {
    const text = row[column] ?? '';
    return text === '' ? [] : [[field, toMinorUnit(text, currency, place)]];
  });
  const texts = Object.entries(COLUMNS.texts).flatMap(([column, field]): [string, string][] => {
    const text = row[column] ?? '';
    return text === '' ? [] : [[field, text]];
  });
  const content = { amount: toMinorUnit(amount, currency, place), ...Object.fromEntries([...fees, ...texts]) };
  return { source: row['source'] || source, id, date, currency, [KINDS[kind as keyof typeof KINDS]]: content };
};

/** Reads comma-separated values (RFC 4180) with a header; amounts are decimal. @throws FileError */
export const readCsv = async function* (text: Readable, source: string): AsyncIterable<FileRecord> {
  const lines = { bom: true, trim: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'], max_record_size: MAX_LINE };
  const parser = parse({ columns: header, info: true, ...lines });
  text.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of text.pipe(parser) as AsyncIterable<{ record: Row; info: { lines: number } }>)
      yield toRecord(record, source, `line ${info.lines}`);
  } catch (error) {
    if (error instanceof CsvError) throw new FileError(`line ${String(error['lines'])}`, error.message);
    throw error;
  }
};
