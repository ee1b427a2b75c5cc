import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase, type Database, openDatabase } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { ledgerEnvironment, startLedger } from '../testing/world.ts';

const environment = ledgerEnvironment({ JOURNAL_RUN_ENTRIES: '12' });
const audit = () => auditDatabase(environment);

const COLLECTIONS = ['blocks', 'balance_pages', 'entry_runs', 'entry_run_parts', 'checkpoints'] as const;
const SEED = 20_261_121;

type Change = { collection: (typeof COLLECTIONS)[number]; document: number; byte: number; replacement: number };
type Document = Record<string, unknown> & { _id: string };

let database: Database;
const stored = new Map<string, Document[]>();
beforeAll(async () => {
  const ledger = await startLedger(environment);
  await fillLedger(ledger);
  await ledger.close();
  database = await openDatabase(environment);
  for (const name of COLLECTIONS) {
    stored.set(name, (await database.collection(name).find({}, { promoteBuffers: true }).sort({ _id: 1 }).toArray()) as never);
  }
});
afterAll(() => database.close());

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

const sizeOf = (value: unknown): number => (Buffer.isBuffer(value) ? value.length : value instanceof Date ? 13 : String(value).length);

/** Fields in turn, by the number of bytes that they have. */
const locate = (document: Document, byte: number): { path: string; value: unknown; at: number } => {
  const leaves = leavesOf(document, '').map(([path, value]) => ({ path, value, size: sizeOf(value) }));
  let at = byte % leaves.reduce((sum, { size }) => sum + size, 0);
  for (const { path, value, size } of leaves) {
    if (at < size) return { path, value, at };
    at -= size;
  }
  throw new Error('unreachable');
};

const put = async (collection: string, original: Document, changed: Document): Promise<void> => {
  await database.collection(collection).deleteOne({ _id: original._id as never });
  await database.collection(collection).insertOne(structuredClone(changed) as never);
};

const withValue = (document: Document, path: string, value: unknown): Document => {
  const [key = '', ...rest] = path.split('.');
  return { ...document, [key]: rest.length === 0 ? value : withValue(document[key] as Document, rest.join('.'), value) };
};

const RUNS = scaled(100);

describe('the audit', () => {
  it('finds and names every changed byte of blocks, pages, runs of entries and checkpoints', async () => {
    expect(await audit()).toMatchObject({ ok: true, problem: '' });
    const change: fc.Arbitrary<Change> = fc.record({
      collection: fc.constantFrom(...COLLECTIONS),
      document: fc.nat(),
      byte: fc.nat(),
      replacement: fc.nat(),
    });
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(change, async ({ collection, document, byte, replacement }) => {
        const documents = stored.get(collection) ?? [];
        const original = documents[document % documents.length];
        if (original === undefined) throw new Error(`collection ${collection} is empty`);
        const { path, value, at } = locate(original, byte);
        const other = changeByte(value, at, replacement);
        fc.pre(other !== undefined);
        const changed = withValue(original, path, other);
        await put(collection, original, changed);
        try {
          const { ok, firstBadBlock, problem } = await audit();
          expect({ collection, path, value, other, ok }).toMatchObject({ ok: false });
          expect([firstBadBlock, problem]).toEqual([expect.stringMatching(/^.+:\d+$/), expect.stringMatching(/\S/)]);
          changes += 1;
        } finally {
          await put(collection, changed, original);
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    expect(changes).toBe(RUNS);
    expect(await audit()).toMatchObject({ ok: true, problem: '' });
  }, 120_000);
});
