import { parseArgs } from 'node:util';
import { fromJson } from '@bufbuild/protobuf';
import { openStore, storeShape } from '@florin/data/store';
import { ImportRecordsRequestSchema } from '@florin/proto/settlement/v1/settlement_service';
import { serviceKeySchema } from '@florin/rpc/auth';
import { type Environment, json, loadConfig } from '@florin/rpc/config';
import { requestJudge } from '@florin/rpc/contract';
import { createLogger } from '@florin/rpc/observe';
import { createSigningKey, keyId } from '@florin/rpc/signing-key';
import { createBooking } from '../booking/booking.ts';
import type { Balance } from '../domain/block.ts';
import { dayOf, isDay, keyOf } from '../domain/record.ts';
import type { FileRecord } from '../files/file-record.ts';
import { readRecords } from '../files/read-records.ts';
import { fromWireRecords } from '../handlers/from-wire.ts';
import { createBlockStore } from '../store/blocks.ts';

const USAGE = `usage: npm run settle -- <command>
  import FILE [--source NAME]
  close DAY
  balances
import books the records of a CSV file, or of a bank statement (camt.053, .xml), each once. close closes a day, as 2026-01-31, and all before it, for good.`;

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
  return { booking: createBooking({ blocks, key, now, grown: () => undefined }), close: store.close };
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

/** What a command line asks for; undefined when it is not understood. */
const understand = (line: CommandLine): ((books: Books, say: Say) => Promise<boolean>) | undefined => {
  const parsed = (() => {
    try {
      return parseArgs({ args: [...line.args], options: { source: { type: 'string' } }, allowPositionals: true });
    } catch {
      return undefined;
    }
  })();
  const [command, file = ''] = parsed?.positionals ?? [];
  const source = parsed?.values.source;
  const today = dayOf(line.now());
  const arity = parsed?.positionals.length;
  if (command === 'import' && arity === 2)
    return (books, say) => importFile(books, file, source ?? (file.toLowerCase().endsWith('.xml') ? 'bank' : 'processor'), today, say);
  if (source !== undefined) return undefined;
  if (command === 'close' && arity === 2 && isDay(file) && file < today) return (books, say) => closeDay(books, file, say);
  return command === 'balances' && arity === 1 ? listBalances : undefined;
};

/** Runs `npm run settle -- …`. @returns exit code 0: done. 1: failed, or something does not fit. 2: not understood */
export const runCommandLine = async (line: CommandLine): Promise<number> => {
  const run = understand(line);
  if (run === undefined) {
    line.err.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const books = await openBooks(line);
    try {
      return (await run(books, (text) => void line.out.write(`${text}\n`))) ? 0 : 1;
    } finally {
      await books.close();
    }
  } catch (error) {
    line.err.write(`settle: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
