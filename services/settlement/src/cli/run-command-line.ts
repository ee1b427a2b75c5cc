import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { fromJson } from '@bufbuild/protobuf';
import { openStore, storeShape } from '@florin/data/store';
import { ImportRecordsRequestSchema } from '@florin/proto/settlement/v1/settlement_service';
import { type Assets, assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import { serviceKeySchema } from '@florin/rpc/auth';
import { type Environment, json, loadConfig } from '@florin/rpc/config';
import { requestJudge } from '@florin/rpc/contract';
import { createLogger } from '@florin/rpc/observe';
import { createSigningKey, keyId } from '@florin/rpc/signing-key';
import { z } from 'zod';
import { createBooking } from '../booking/booking.ts';
import { configShape as serviceShape, waitOf } from '../config.ts';
import { FORMATS } from '../domain/accounting.ts';
import { type Balance, type Block, balanceIn } from '../domain/block.ts';
import { type CheckedReport, checkReport } from '../domain/check-report.ts';
import { type Item, inOrder, itemOf } from '../domain/item.ts';
import { dayAfter, dayOf, endOf, isDay, keyOf, spell } from '../domain/record.ts';
import { type Items, isEarlier, isTimely, MAX_PROOF_HOURS, type Proofs, type Reserves, reportLines, shortOf } from '../domain/report.ts';
import type { FileRecord } from '../files/file-record.ts';
import { linesOf } from '../files/lines.ts';
import { type BankBooks, readRecords } from '../files/read-records.ts';
import { readReserves } from '../files/read-reserves.ts';
import { FIRST_SHARD } from '../following/follow-ledger.ts';
import { firstDay } from '../following/tell-unsettled.ts';
import { fromWireRecords } from '../handlers/from-wire.ts';
import { RECENT, unreportedDays } from '../reporting/unreported-days.ts';
import { type ClosingBlock, createBlockStore } from '../store/blocks.ts';
import { createCursorStore } from '../store/cursors.ts';
import { createItemStore } from '../store/items.ts';
import { createMatchStore } from '../store/matches.ts';
import { createReportStore } from '../store/reports.ts';
import { keepProofs, proofsOf } from './keep-proofs.ts';

const USAGE = `usage: npm run settle -- <command>
  import FILE [--source NAME]
  close DAY
  balances
  report DAY FILE [--reserves PROOF [--earlier PROOF]]... [--treasury ADDRESS]... [--heads HEADS]
  daily DIRECTORY [--close] [--url GATEWAY] [--treasury ADDRESS]... [--heads HEADS]
  verify FILE [--reserves PROOF [--earlier PROOF]]... [--treasury ADDRESS]... [--heads HEADS] [--key THUMBPRINT]
  export DAY FILE
import books the records of a CSV file, or of a bank statement (camt.053, .xml), each once. close closes a day, as 2026-01-31, and all before it, for good. report writes\na signed report of a closed day, which verify checks without a database; with a proof of reserves of each chain, which is checked, it compares ledger and chains too;\na Safe that held enough in the earlier one, of the day before, may wait for a refund; a treasury counts only if it is named, and the published heads say which keys to trust.
daily, for a scheduler, keeps the newest proofs of the platform in a directory, and reports there the last day that ended before them; --close closes it first.
export writes the records of a closed day for accounting: CSV, or the journal of ledger and hledger (.journal).`;

/** The tokens that a reader of proofs of reserves knows. */
const assetsShape = { ASSETS: json(assetsSchema).default(DEFAULT_ASSETS) } as const;

const configShape = {
  ...storeShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_settlement'),
  SETTLEMENT_KEY: json(serviceKeySchema),
  SETTLEMENT_MATCH_HOURS: serviceShape.SETTLEMENT_MATCH_HOURS,
  /** IBANs or numbers of the accounts whose statements are imported, separated by spaces; none: any. */
  SETTLEMENT_BANK_ACCOUNTS: z.string().default(''),
  SETTLEMENT_OPEN_DAYS: serviceShape.SETTLEMENT_OPEN_DAYS,
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

/** Blocks whose matches are read while those of the first one are waited for: the engine takes longer to find them than the report to be written. */
const AHEAD = 4;

/** Opens the books of the database that the environment names. */
const openBooks = async ({ environment, now }: CommandLine) => {
  const config = loadConfig(configShape, environment);
  const logger = createLogger('settle', 'silent');
  const store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 1 + AHEAD, logger });
  const [blocks, reports] = [createBlockStore(store.connection), createReportStore(store.connection)];
  await store.ready();
  const key = createSigningKey(config.SETTLEMENT_KEY);
  const matches = createMatchStore(store.connection);
  const [items, cursors] = [createItemStore(store.connection), createCursorStore(store.connection)];
  return {
    booking: createBooking({ blocks, key, now, grown: () => undefined }),
    blocks,
    matches,
    items,
    cursors,
    reports,
    key,
    bankAccounts: config.SETTLEMENT_BANK_ACCOUNTS.split(' ').filter((one) => one !== ''),
    waitMs: waitOf(config),
    close: store.close,
  };
};

type Books = Awaited<ReturnType<typeof openBooks>>;

/** Books the records of a file in their order. A repeat goes on where a killed import ended: what is booked already stays. */
const importFile = async (
  { booking, blocks, bankAccounts }: Books,
  path: string,
  source: string,
  today: string,
  say: Say,
): Promise<boolean> => {
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
  const batch: FileRecord[] = [];
  const booksOf: BankBooks = async ({ currency, records: ofFile }) => {
    // The statement before it is in the books.
    while (batch.length > 0) await book(batch.splice(0, BATCH));
    const { balances } = await booking.balances();
    const known = await blocks.findRecords(ofFile.map(keyOf));
    const records = fromWireRecords(fromJson(ImportRecordsRequestSchema, { records: [...ofFile] }).records, today);
    const lines = new Map(records.map((record) => [keyOf(record), spell(record)]));
    const bookedAs = (record: FileRecord) => {
      const standing = known.get(keyOf(record));
      return standing && (standing.line === lines.get(keyOf(record)) ? 'equal' : 'other');
    };
    return { bank: balanceIn(balances, 'bank', currency), bookedAs };
  };
  for await (const some of readRecords(path, source, bankAccounts, booksOf)) {
    batch.push(...some);
    while (batch.length >= BATCH) await book(batch.splice(0, BATCH));
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
  const withMatches = async ({ records }: Pick<Block, 'records'>) => {
    const known = await matches.find(records.map(({ key }) => key));
    return records.map((record) => ({ ...record, match: known.get(record.key) ?? {} }));
  };
  const reading: ReturnType<typeof withMatches>[] = [];
  for await (const block of blocks.ofDays({ after: close.previousDay, upTo: close.day }, { after: 0, upTo: n })) {
    const found = withMatches(block);
    // A failure is met when its turn comes, or not at all after another one.
    found.catch(() => undefined);
    reading.push(found);
    if (reading.length > AHEAD) yield (await reading.shift()) ?? [];
  }
  for (const found of reading) yield await found;
};

const printReport = (report: CheckedReport, say: Say): void => {
  const { day, previousDay, madeAt, records, accounts, safes, reserves, differences, moreDifferences } = report;
  say(
    `Days${previousDay === '' ? '' : ` after ${previousDay}`} up to ${day}, closed with the key ${report.closeKey}; the report of ${madeAt} is signed with ${report.key}.`,
  );
  printBalances(report.balances, say);
  const ofChain =
    reserves.length === 0
      ? 'Ledger and chain are not compared'
      : `Accounts and tokens of the proofs of reserves (${reserves.join(', ')}): ${safes}`;
  say(`Records: ${records}. Accounts with clearings: ${accounts}. ${ofChain}.`);
  if (report.items > 0) say(`Items that explain the totals: ${report.items}. Those from before ${report.overdue} are differences.`);
  for (const { currency, amount } of report.before) say(`Spent before the first clearing, and left out: ${amount} ${currency}.`);
  for (const { name, currency, books, items, other } of report.totals) {
    const [account, holder] =
      name === 'uncollected' ? ['receivable', 'not collected, by the ledger'] : ['treasury', 'in the treasuries, on chain'];
    say(`${currency}: ${account} ${books} and items ${items}; ${holder}: ${other}.`);
  }
  if (report.returning > 0)
    say(`Safes that have held less than is owed only since the earlier proof, and may wait for refunds: ${report.returning}.`);
  for (const { token, amount } of report.surplus) say(`Safes hold ${amount} ${token} more than is owed to their accounts.`);
  for (const difference of differences) say(difference);
  if (moreDifferences > 0) say(`and ${moreDifferences} more`);
  say(differences.length === 0 ? 'The books agree.' : `Differences: ${differences.length + moreDifferences}.`);
};

/** Chains with tokens, sorted. */
const chainsOf = ({ tokens }: Assets): number[] =>
  [...new Set(tokens.flatMap(({ chainId, address }) => (address === undefined ? [] : [chainId])))].toSorted((a, b) => a - b);

/** Reads proofs of reserves as a command line says, with the tokens that it knows. */
const proofReader = ({ treasury: treasuries = [], heads }: Values, { environment, now }: CommandLine) => {
  const assets = loadConfig(assetsShape, environment).ASSETS;
  return { chainIds: chainsOf(assets), read: (path: string): Reserves => readReserves(path, assets, { treasuries, heads, now: now() }) };
};

/** @throws Error when two proofs are of one chain, or an earlier one is of a chain without another, or not of about a day before it */
const readProofs = (values: Values, line: CommandLine): Proofs | undefined => {
  const { reserves = [], earlier = [] } = values;
  if (reserves.length === 0) return undefined;
  const { chainIds, read } = proofReader(values, line);
  const readAll = (paths: readonly string[]): Map<number, Reserves> => {
    const proofs = paths.map(read);
    const ofChains = new Map(proofs.map((proof) => [proof.chainId, proof]));
    if (ofChains.size < proofs.length) throw new Error('two proofs of reserves are of the same chain');
    return ofChains;
  };
  const [found, before] = [readAll(reserves), readAll(earlier)];
  for (const { chainId, at } of before.values()) {
    const proof = found.get(chainId);
    if (proof === undefined || !isEarlier(at, proof.at))
      throw new Error(
        `the earlier proof is of ${at} on chain ${chainId}: it must be of the same chain, and 12 to 30 hours older than the other`,
      );
  }
  const list = [...found.values()]
    .toSorted((a, b) => a.chainId - b.chainId)
    .map((proof): Reserves => {
      const name = before.get(proof.chainId);
      return name === undefined ? proof : { ...proof, earlier: { name, short: shortOf(name.accounts) } };
    });
  return { list, unproven: chainIds.filter((chainId) => !found.has(chainId)) };
};

/** @throws Error when a proof of reserves is of another time than the end of a day */
const requireTimely = (proofs: Proofs | undefined, day: string): void => {
  for (const { at } of proofs?.list ?? []) {
    if (!isTimely(at, day))
      throw new Error(`the proof of reserves is of ${at}: a report of ${day} needs one of the ${MAX_PROOF_HOURS} hours after the day`);
  }
};

/** Checks a report, and prints what it shows. */
const verifyFile = async (path: string, proofs: Proofs | undefined, key: string | undefined, say: Say): Promise<CheckedReport> => {
  const report = await checkReport(linesOf(path), proofs);
  requireTimely(proofs, report.day);
  printReport(report, say);
  const other = [report.closeKey, report.key].find((one) => key !== undefined && one !== key);
  if (other !== undefined) throw new Error(`the file is signed with the key ${other}, not with ${key}`);
  return report;
};

const requireClose = async ({ blocks }: Books, day: string): Promise<ClosingBlock> => {
  const block = await blocks.closeOf(day);
  if (block === undefined) throw new Error(`${day} is not closed`);
  return block;
};

/** The time of the last proof. */
const provenAtOf = (proofs: readonly Reserves[]): Date | undefined =>
  proofs.length === 0 ? undefined : new Date(Math.max(...proofs.map(({ at }) => Date.parse(at))));

/** @throws Error while the service has not matched the records up to a block, or not read the ledger's journal up to the last proof or the end of the day */
const requireRead = async ({ cursors }: Books, last: number, day: string, proofs: readonly Reserves[]): Promise<void> => {
  const matched = await cursors.reached();
  if (matched < last) throw new Error(`the records are matched up to block ${matched} of ${last}: is the service running?`);
  const needed = provenAtOf(proofs) ?? endOf(day);
  for (const shard of new Set([FIRST_SHARD, ...proofs.flatMap(({ blocks: heads }) => [...heads.keys()])])) {
    const { completeAt } = await cursors.position(shard);
    if (completeAt === undefined || completeAt < needed)
      throw new Error(
        `shard ${shard} of the ledger's journal is read up to ${completeAt?.toISOString() ?? 'nowhere'}: is the service running?`,
      );
  }
};

/** The items as of a closed day, and as of the proofs. */
const itemsOf = async ({ blocks, items, waitMs }: Books, day: string, proofs: readonly Reserves[], now: Date): Promise<Items> => {
  const found: Item[] = [];
  for await (const stored of items.openOrSince(endOf(day))) {
    const item = itemOf(stored, { day, proofs });
    if (item !== undefined) found.push(item);
  }
  const at = provenAtOf(proofs) ?? now;
  return { list: inOrder(found, (await firstDay(blocks)) ?? at), overdue: new Date(at.getTime() - waitMs) };
};

const writeReport = async (books: Books, day: string, path: string, values: Values, line: CommandLine, say: Say): Promise<boolean> => {
  if (existsSync(path)) throw new Error(`${path} is there already`);
  const proofs = readProofs(values, line);
  const list = proofs?.list ?? [];
  if (values.close === true && (await books.blocks.closeOf(day)) === undefined) {
    // A close stays: what the report waits for comes first.
    requireTimely(proofs, day);
    await requireRead(books, (await books.blocks.head()).n, day, list);
    await closeDay(books, day, say);
  }
  const block = await requireClose(books, day);
  const { previousDay } = block.close;
  const opening = previousDay === '' ? [] : (await requireClose(books, previousDay)).close.balances;
  requireTimely(proofs, block.close.day);
  // The close itself has no records.
  await requireRead(books, block.n - 1, block.close.day, list);
  const items = await itemsOf(books, block.close.day, list, line.now());
  const lines = reportLines(block, opening, recordsOf(books, block), proofs, items, books.key, line.now());
  // It has its name once its verdict is stored: killed in between, it is made again.
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  await pipeline(lines, createWriteStream(unfinished));
  const { digest, key, madeAt, differences, moreDifferences } = await verifyFile(unfinished, proofs, values.key, say);
  await books.reports.add({
    ...{ digest, key, day: block.close.day, madeAt: new Date(madeAt), differences: differences.length + moreDifferences },
    comparesChain: proofs !== undefined,
  });
  await link(unfinished, path);
  await unlink(unfinished);
  return differences.length === 0;
};

/**
 * Reports the last day that ended before the newest proofs of the platform, in a directory that keeps proofs and reports. Closed days before it that have no report, because
 * that failed, come first. A day that is reported there already stays as it is, and so does its verdict.
 * @throws Error when the platform has no proof at all, none fits a day, or the day is not closed, and shall not be
 */
const reportDaily = async (books: Books, directory: string, values: Values, line: CommandLine, say: Say): Promise<boolean> => {
  const { url } = values;
  const now = line.now();
  const { newest, kept } =
    url === undefined ? { newest: [], kept: [] } : await keepProofs({ directory, gatewayUrl: url, ...proofReader(values, line), now, say });
  const last = dayAfter(dayOf(new Date(Math.min(now.getTime(), ...newest.map(({ at }) => Date.parse(at))))), -1);
  const unreported = await unreportedDays(await books.reports.latest(RECENT), books.blocks);
  let agrees = true;
  for (const day of [...unreported.filter((one) => one < last), last]) {
    const file = join(directory, `${day}.report`);
    if (existsSync(file)) {
      say(`${file} is there already.`);
      agrees = (await checkReport(linesOf(file))).differences.length === 0 && agrees;
      continue;
    }
    const proofs = proofsOf(kept, day);
    if (url !== undefined && proofs.reserves.length === 0)
      throw new Error(`${day} is closed and not reported, and no kept proof fits it: run settle -- report ${day} ${file}`);
    agrees = (await writeReport(books, day, file, { ...values, ...proofs }, line, say)) && agrees;
  }
  return agrees;
};

type Values = {
  source?: string | undefined;
  reserves?: string[] | undefined;
  earlier?: string[] | undefined;
  treasury?: string[] | undefined;
  heads?: string | undefined;
  key?: string | undefined;
  url?: string | undefined;
  close?: boolean | undefined;
};

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
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  import: ['source'],
  report: ['reserves', 'earlier', 'treasury', 'heads'],
  daily: ['close', 'url', 'treasury', 'heads'],
  verify: ['reserves', 'earlier', 'treasury', 'heads', 'key'],
};

const readArguments = (args: readonly string[]): { positionals: string[]; values: Values } | undefined => {
  try {
    const text = { type: 'string' } as const;
    const texts = { ...text, multiple: true } as const;
    const options = {
      source: text,
      reserves: texts,
      earlier: texts,
      treasury: texts,
      heads: text,
      key: text,
      url: text,
      close: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
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
  if (values.treasury?.some((address) => !/^0x[0-9a-fA-F]{40}$/.test(address))) return undefined;
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
    case 'daily 2':
      return { books: (books, say) => reportDaily(books, first, values, line, say) };
    case 'export 3':
      return isDay(first) ? { books: (books, say) => exportDay(books, first, second, say) } : undefined;
    case 'verify 2':
      return { offline: async (say) => (await verifyFile(first, readProofs(values, line), values.key, say)).differences.length === 0 };
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
