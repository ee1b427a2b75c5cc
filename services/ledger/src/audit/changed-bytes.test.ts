import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { auditSource, type Database, openDatabase, readDocuments, type Stored, untilProjected } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { runCommand } from '../testing/run-command.ts';
import { ledgerEnvironment, startLedger } from '../testing/world.ts';
import type { Cursor, Source } from './source.ts';

const environment = ledgerEnvironment({ JOURNAL_RUN_ENTRIES: '12', LEDGER_HEAD_MS: '200' });

/** Changes in `npm test`; `npm run proof` changes each field of each collection, in so many documents. */
const SAMPLE = 34;
const DOCUMENTS_PER_FIELD = 2;

/** Fields that may change without money, order or identity changing, each with the reason, by collection; undefined where the whole collection may. */
const FREE: Readonly<Record<string, RegExp | undefined>> = {
  blocks: /^$/,
  balance_pages: /^$/,
  checkpoints: /^$/,
  entry_runs: /^$/,
  entry_run_parts: /^$/,
  heads: /^$/,
  snapshots: /^$/,
  snapshot_parts: /^$/,
  references: /^$/,
  movement_claims: /^$/,
  settings: /^$/,
  open_holds: /^$/,
  deposits: /^$/,
  withdrawals: /^$/,
  // When a deposit is screened again: at most a quarter of an hour later, and the audit reports what is put off longer.
  pending_screenings: /^(dueAt|attempts)$/,
  // Times that are only shown, or of which counts only that there is one; events on their way, whose numbers the feed compares.
  accounts: /^(updatedAt|provisionedAt|closedAt|approvedAt|decidedBlockAt|safeConfirmedAt|safeRevokedAt|outbox\..*|relayed)$/,
  // Shown only, once it is booked; the entry has who approved it.
  adjustments: /^(createdAt|updatedAt|needsApproval|rejectedBy|rejectionReason|failureCode)$/,
  // Counts the orders of a day, from which nothing is booked; switches of operators; a log and a schema that verify themselves.
  approval_windows: undefined,
  halted_chains: undefined,
  audit_events: undefined,
  database_records: undefined,
  write_probes: undefined,
};

/** Fields that release 0.2.0 did not write, or that are the same absent as empty. */
const MAY_BE_ABSENT: Readonly<Record<string, RegExp | undefined>> = {
  accounts: /^sum$/,
  adjustments: /^metadata\.(approvedBy|externalReference)$/,
  // Shown only.
  deposits: /^(resolvedAt|resolvedBy)$/,
};

type Target = { collection: string; document: Stored; path: string; value: unknown };

let database: Database;
let stored: Map<string, Stored[]>;
beforeAll(async () => {
  const ledger = await startLedger(environment);
  const [account] = await fillLedger(ledger);
  await ledger.accounts.haltChain({ chainId: 10 }, ledger.operator);
  expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
  await ledger.fund(account ?? expect.fail('no account'), 'EURe', '1');
  database = await openDatabase(environment);
  await untilProjected(database);
  await ledger.close();
  stored = await readDocuments(database);
}, 120_000);
afterAll(() => database.close());

/** Answers of collections that have not changed. */
const answers = new Map<string, unknown>();

/** Audits the database after a change of one collection, at most: the others are as they were read before. */
const audit = (changed = '') => {
  const ask = async <T>(name: string, question: object, read: () => Promise<T>): Promise<T> => {
    if (name === changed) return read();
    const key = `${name} ${inspect(question, { depth: null, maxArrayLength: null, maxStringLength: null })}`;
    if (!answers.has(key)) answers.set(key, await read());
    return answers.get(key) as T;
  };
  const cursorOf = (name: string, question: { filter: object; options: object; order?: Record<string, 1 | -1> }): Cursor => ({
    sort: (order) => cursorOf(name, { ...question, order }),
    batchSize: () => cursorOf(name, question),
    [Symbol.asyncIterator]: async function* () {
      const { filter, options, order = {} } = question;
      yield* await ask(name, question, () => database.collection(name).find(filter, options).sort(order).toArray());
    },
  });
  const source: Source = {
    collection: (name) => ({
      find: (filter, options = {}) => cursorOf(name, { filter, options }),
      countDocuments: (filter) => ask(name, { count: filter }, () => database.collection(name).countDocuments(filter)),
    }),
  };
  return auditSource(database, environment, source);
};

/** Every leaf value of a document, by its path. */
const leavesOf = (value: unknown, path: string): [path: string, value: string | number | Date | boolean][] =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value)
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, path === '' ? key : `${path}.${key}`))
    : [[path, value as string]];

/** The value with one byte of its text changed; undefined when that is not another value. */
const changeByte = (value: unknown, at: number, replacement: number): unknown => {
  if (Buffer.isBuffer(value))
    return value[at] === replacement % 256 ? undefined : value.map((byte, index) => (index === at ? replacement % 256 : byte));
  const text = value instanceof Date ? String(value.getTime()) : String(value);
  const isText = typeof value === 'string';
  const next = isText ? String.fromCharCode(0x20 + (replacement % 95)) : String(replacement % 10);
  const changed = `${text.slice(0, at)}${next}${text.slice(at + 1)}`;
  if (changed === text) return undefined;
  if (isText) return changed;
  if (typeof value === 'boolean') return !value;
  return value instanceof Date ? new Date(Number(changed)) : Number(changed);
};

const put = async (collection: string, original: Stored, changed: Stored): Promise<void> => {
  await database.collection(collection).deleteOne({ _id: original._id as never });
  await database.collection(collection).insertOne(structuredClone(changed) as never);
};

const withValue = <T extends object>(document: T, path: string, value: unknown): T => {
  const [key = '', ...rest] = path.split('.');
  const copy = structuredClone(document) as Record<string, unknown>;
  copy[key] = rest.length === 0 ? value : withValue(copy[key] as object, rest.join('.'), value);
  return copy as T;
};

const without = <T extends object>(document: T, path: string): T => {
  const [key, ...rest] = path.split('.');
  const kept = Object.entries(document).flatMap(([name, value]) => {
    if (name !== key) return [[name, value] as const];
    return rest.length === 0 ? [] : [[name, without(value, rest.join('.'))] as const];
  });
  return (Array.isArray(document) ? kept.map(([, value]) => value) : Object.fromEntries(kept)) as T;
};

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Changes one byte of a field, which one follows from its place. */
const changeField = ({ collection, document, path, value }: Target): Stored | undefined => {
  const bytes = digest(`${collection} ${document._id} ${path}`);
  const size = Buffer.isBuffer(value) ? value.length : value instanceof Date ? 13 : String(value).length;
  const other = size === 0 ? undefined : changeByte(value, bytes.readUInt32LE() % size, bytes.readUInt16LE(4));
  return other === undefined ? undefined : withValue(document, path, other);
};

/** Fields that must not change, those of all collections in turn: which documents' they are differs with every run. */
const targets = (): Target[] => {
  const byCollection = [...stored].map(([collection, documents]) => {
    const free = FREE[collection];
    const all = documents.flatMap((document) =>
      leavesOf(document, '').map(([path, value]): Target => ({ collection, document, path, value })),
    );
    const own = free === undefined ? [] : all.filter(({ path }) => !free.test(path));
    const keyOf = ({ document, path }: Target) => digest(`${document._id} ${path}`).toString('hex');
    const seen = new Map<string, number>();
    return own
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .filter(({ path }) => {
        const field = path.replaceAll(/[0-9]+/g, '#');
        seen.set(field, (seen.get(field) ?? 0) + 1);
        return (seen.get(field) ?? 0) <= DOCUMENTS_PER_FIELD;
      });
  });
  const longest = Math.max(...byCollection.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => byCollection.flatMap((list) => list[index] ?? [])).flat();
};

/** Audits the database with another document in place of the target's. @returns the target unless the audit finds and names the change */
const missedAs = async ({ collection, document, path, value }: Target, changed: Stored): Promise<string[]> => {
  await put(collection, document, changed);
  const { ok, firstBadBlock, problem } = await audit(collection);
  await put(collection, changed, document);
  const isNamed = !ok && /^.+:\d+$/.test(firstBadBlock) && problem !== '';
  return isNamed ? [] : [`${collection} ${document._id} ${path} ${String(value).slice(0, 60)}`];
};

describe('the audit', () => {
  it('has a case for every collection of the ledger, each with documents', () => {
    expect([...stored.keys()].sort()).toEqual(Object.keys(FREE).sort());
    for (const [name, free] of Object.entries(FREE))
      if (free !== undefined) expect([name, stored.get(name)?.length]).not.toEqual([name, 0]);
  });

  it('finds and names every changed field that carries money, order or identity', async () => {
    expect(await audit()).toMatchObject({ ok: true, problem: '' });
    const missed: string[] = [];
    const chosen = inject('proof') ? targets() : targets().slice(0, SAMPLE);
    let changes = 0;
    for (const target of chosen) {
      const { collection, path } = target;
      const changed = changeField(target);
      if (changed === undefined || (path === '_id' && stored.get(collection)?.some(({ _id }) => _id === changed._id))) continue;
      missed.push(...(await missedAs(target, changed)));
      changes += 1;
    }
    expect(missed).toEqual([]);
    expect(changes).toBeGreaterThan(chosen.length / 2);
    expect(await audit()).toMatchObject({ ok: true, problem: '' });
  }, 600_000);

  it('finds and names every removed field', async () => {
    const lost = targets().filter(({ collection, path }) => path !== '_id' && MAY_BE_ABSENT[collection]?.test(path) !== true);
    const byField = new Map(lost.map((target) => [`${target.collection} ${target.path.replaceAll(/[0-9]+/g, '#')}`, target]));
    const chosen = inject('proof') ? [...byField.values()] : [...byField.values()].slice(0, SAMPLE);
    const missed: string[] = [];
    for (const target of chosen) missed.push(...(await missedAs(target, without(target.document, target.path))));
    expect(missed).toEqual([]);
  }, 300_000);
});
