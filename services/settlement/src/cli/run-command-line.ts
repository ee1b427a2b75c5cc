import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { fromJson } from '@bufbuild/protobuf';
import { openStore, storeShape } from '@florin/data/store';
import { ImportRecordsRequestSchema } from '@florin/proto/settlement/v1/settlement_service';
import { assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import { serviceKeySchema } from '@florin/rpc/auth';
import { type Environment, json, loadConfig } from '@florin/rpc/config';
import { requestJudge } from '@florin/rpc/contract';
import { createLogger } from '@florin/rpc/observe';
import { createSigningKey, keyId } from '@florin/rpc/signing-key';
import { createBooking } from '../booking/booking.ts';
import { FORMATS } from '../domain/accounting.ts';
import type { Balance } from '../domain/block.ts';
import { dayOf, isDay, keyOf } from '../domain/record.ts';
import { type CheckedReport, checkReport, type Reserves, reportLines } from '../domain/report.ts';
import type { FileRecord } from '../files/file-record.ts';
import { linesOf } from '../files/lines.ts';
import { readRecords } from '../files/read-records.ts';
import { readReserves } from '../files/read-reserves.ts';
import { fromWireRecords } from '../handlers/from-wire.ts';
import { type ClosingBlock, createBlockStore } from '../store/blocks.ts';
import { createMatchStore } from '../store/matches.ts';

const USAGE = `usage: npm run settle -- <command>
  import FILE [--source NAME]
  close DAY
  balances
  report DAY FILE [--reserves PROOF]
  verify FILE [--reserves PROOF] [--key THUMBPRINT]
  export DAY FILE
import books the records of a CSV file, or of a bank statement (camt.053, .xml), each once. close closes a day, as 2026-01-31, and all before it, for good. report writes\na signed report of a closed day, which verify checks without a database; with a proof of reserves it compares ledger and chain too.
export writes the records of a closed day for accounting: CSV, or the journal of ledger and hledger (.journal).`;

/** The tokens that a reader of proofs of reserves knows. */
const assetsShape = { ASSETS: json(assetsSchema).default(DEFAULT_ASSETS) } as const;

const configShape = {
  ...storeShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_settlement'),
  SETTLEMENT_KEY: json(serviceKeySchema),
} as const;

/** Records that are booked together. */
const BATCH = 500;

export type CommandLine = {
  args: readonly string[];
  environment: Environment;
  now: () => Date;
  /** Where results go, and where errors go. */
  out: { write: (text: string) => unknown };
  err: { write: (text: string) => unknown };
};

type Say = (line: string) => void;

/** Opens the books of the database that the environment names. */
const openBooks = async ({ environment, now }: CommandLine) => {
  const config = loadConfig(configShape, environment);
  const logger = createLogger('settle', 'silent');
  const store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 2, logger });
  const blocks = createBlockStore(store.connection);
  await store.ready();
  const key = createSigningKey(config.SETTLEMENT_KEY);
  const matches = createMatchStore(store.connection);
  return { booking: createBooking({ blocks, key, now, grown: () => undefined }), blocks, matches, key, close: store.close };
};

type Books = Awaited<ReturnType<typeof openBooks>>;

/** Books the records of a file in their order. A repeat goes on where a killed import ended: what is booked already stays. */
const importFile = async ({ booking }: Books, path: string, source: string, today: string, say: Say): Promise<boolean> => {
  const judge = requestJudge(ImportRecordsRequestSchema);
  const count = { booked: 0, existing: 0, conflicting: 0 };
  const book = async (batch: readonly FileRecord[]): Promise<void> => {
    if (batch.length === 0) return;
    const request = fromJson(ImportRecordsRequestSchema, { records: [...batch] });
    judge(request);
    const records = fromWireRecords(request.records, today);
    for (const [index, { outcome, day }] of (await booking.importRecords(records)).entries()) {
      count[outcome] += 1;
      const record = records[index];
      if (outcome === 'conflicting' && record !== undefined) say(`${keyOf(record)}: another record of this id is booked on ${day}`);
    }
  };
  let batch: FileRecord[] = [];
  for await (const record of readRecords(path, source)) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    await book(batch);
    batch = [];
  }
  await book(batch);
  say(`Records booked: ${count.booked}. Booked before: ${count.existing}. Conflicting: ${count.conflicting}.`);
  return count.conflicting === 0;
};

const printBalances = (balances: readonly Balance[], say: Say): void => {
  for (const { account, currency, amount } of balances) say(`${account.padEnd(50)} ${currency} ${String(amount).padStart(16)}`);
};

const closeDay = async ({ booking }: Books, day: string, say: Say): Promise<boolean> => {
  const { close, n } = await booking.closeDay(day);
  const from = close.previousDay === '' ? '' : ` after ${close.previousDay}`;
  say(`Closed up to ${close.day}${from} by block ${n}, signed with the key ${keyId(close.key)}. Records: ${close.records}.`);
  printBalances(close.balances, say);
  return true;
};

const listBalances = async ({ booking }: Books, say: Say): Promise<boolean> => {
  const { balances, closedDay } = await booking.balances();
  printBalances(balances, say);
  say(closedDay === '' ? 'No day is closed.' : `Closed up to ${closedDay}.`);
  return true;
};

/** The records on closed days with what is known of them, a block at a time. */
const recordsOf = async function* ({ blocks, matches }: Books, { n, close }: ClosingBlock) {
  for await (const { records } of blocks.ofDays({ after: close.previousDay, upTo: close.day }, { after: 0, upTo: n })) {
    const known = await matches.find(records.map(({ key }) => key));
    yield records.map((record) => ({ ...record, match: known.get(record.key) ?? {} }));
  }
};

const printReport = (report: CheckedReport, say: Say): void => {
  const { day, previousDay, madeAt, records, accounts, safes, reserves, differences, moreDifferences } = report;
  say(
    `Days${previousDay === '' ? '' : ` after ${previousDay}`} up to ${day}, closed with the key ${report.closeKey}; the report of ${madeAt} is signed with ${report.key}.`,
  );
  printBalances(report.balances, say);
  const ofChain =
    reserves === undefined ? 'Ledger and chain are not compared' : `Accounts and tokens of the proof of reserves (${reserves}): ${safes}`;
  say(`Records: ${records}. Accounts with clearings: ${accounts}. ${ofChain}.`);
  for (const difference of differences) say(difference);
  if (moreDifferences > 0) say(`and ${moreDifferences} more`);
  say(differences.length === 0 ? 'The books agree.' : `Differences: ${differences.length + moreDifferences}.`);
};

const readProof = async (path: string | undefined, { environment }: CommandLine): Promise<Reserves | undefined> =>
  path === undefined ? undefined : readReserves(path, loadConfig(assetsShape, environment).ASSETS);

/** Checks a report, and prints what it shows. @returns whether the books agree */
const verifyFile = async (path: string, { reserves, key }: Values, line: CommandLine, say: Say): Promise<boolean> => {
  const report = await checkReport(linesOf(path), await readProof(reserves, line));
  printReport(report, say);
  const other = [report.closeKey, report.key].find((one) => key !== undefined && one !== key);
  if (other !== undefined) throw new Error(`the file is signed with the key ${other}, not with ${key}`);
  return report.differences.length === 0;
};

const requireClose = async ({ blocks }: Books, day: string): Promise<ClosingBlock> => {
  const block = await blocks.closeOf(day);
  if (block === undefined) throw new Error(`${day} is not closed`);
  return block;
};

const writeReport = async (books: Books, day: string, path: string, values: Values, line: CommandLine, say: Say): Promise<boolean> => {
  const block = await requireClose(books, day);
  const lines = reportLines(block, recordsOf(books, block), await readProof(values.reserves, line), books.key, line.now());
  await pipeline(lines, createWriteStream(path, { flags: 'wx' }));
  return verifyFile(path, values, line, say);
};

type Values = { source?: string | undefined; reserves?: string | undefined; key?: string | undefined };

/** Writes the records of the close that a day is in for accounting programs. */
const exportDay = async (books: Books, day: string, path: string, say: Say): Promise<boolean> => {
  const block = await requireClose(books, day);
  const { header, entry } = FORMATS[path.endsWith('.journal') ? 'journal' : 'csv'];
  const text = async function* () {
    yield header;
    for await (const records of recordsOf(books, block)) yield records.map(entry).join('');
  };
  await pipeline(text(), createWriteStream(path, { flags: 'wx' }));
  say(`Records exported: ${block.close.records}.`);
  return true;
};

/** Options by command. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = { import: ['source'], report: ['reserves'], verify: ['reserves', 'key'] };

const readArguments = (args: readonly string[]): { positionals: string[]; values: Values } | undefined => {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args: [...args], options: { source: text, reserves: text, key: text }, allowPositionals: true });
  } catch {
    return undefined;
  }
};

type Run = { offline: (say: Say) => Promise<boolean> } | { books: (books: Books, say: Say) => Promise<boolean> };

/** The run that a command line asks for; undefined when it is not understood. */
const understand = (line: CommandLine): Run | undefined => {
  const { positionals, values } = readArguments(line.args) ?? { positionals: [], values: {} };
  const [command = '', first = '', second = ''] = positionals;
  if (Object.keys(values).some((option) => OPTIONS[command]?.includes(option) !== true)) return undefined;
  const today = dayOf(line.now());
  const source = values.source ?? (first.toLowerCase().endsWith('.xml') ? 'bank' : 'processor');
  switch (`${command} ${positionals.length}`) {
    case 'import 2':
      return { books: (books, say) => importFile(books, first, source, today, say) };
    case 'close 2':
      return isDay(first) && first < today ? { books: (books, say) => closeDay(books, first, say) } : undefined;
    case 'balances 1':
      return { books: listBalances };
    case 'report 3':
      return isDay(first) ? { books: (books, say) => writeReport(books, first, second, values, line, say) } : undefined;
    case 'export 3':
      return isDay(first) ? { books: (books, say) => exportDay(books, first, second, say) } : undefined;
    case 'verify 2':
      return { offline: (say) => verifyFile(first, values, line, say) };
    default:
      return undefined;
  }
};

/** Runs `npm run settle -- …`. @returns exit code 0: done. 1: failed, or something does not fit. 2: not understood */
export const runCommandLine = async (line: CommandLine): Promise<number> => {
  const run = understand(line);
  if (run === undefined) {
    line.err.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const say: Say = (text) => void line.out.write(`${text}\n`);
    if ('offline' in run) return (await run.offline(say)) ? 0 : 1;
    const books = await openBooks(line);
    try {
      return (await run.books(books, say)) ? 0 : 1;
    } finally {
      await books.close();
    }
  } catch (error) {
    line.err.write(`settle: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
