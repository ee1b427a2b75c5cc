import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Environment } from '@florin/rpc/config';
import { createSigningKey } from '@florin/rpc/signing-key';
import { waitFor } from '@florin/rpc/testing';
import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordStore } from '../store/records.ts';
import { auditDatabase, countDocuments } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { publishedHeads } from '../testing/published-heads.ts';
import { runCommand } from '../testing/run-command.ts';
import { ledgerEnvironment, newHeadKey, startLedger } from '../testing/world.ts';
import { checkFiles, type FileTrust } from './check-file.ts';
import { importJournal } from './import-journal.ts';
import { readJournalFile, type WrittenLine, writeJournalFile } from './journal-file.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '50' });
const { LEDGER_HEAD_KEY: key = '', ...withoutKey } = environment;
const signer = createSigningKey(JSON.parse(key));
const directory = mkdtempSync(join(tmpdir(), 'florin-signed-'));
const at = (name: string): string => join(directory, name);
const trust: FileTrust = { trusted: [signer.publicKey], kept: [], unsigned: false };

/** Lines of a file, with one function applied to each. */
const linesOf = async function* (path: string, change: (line: WrittenLine) => WrittenLine): AsyncGenerator<WrittenLine> {
  for await (const line of readJournalFile(path)) if (!('end' in line)) yield change(line);
};

beforeAll(async () => {
  const ledger = await startLedger(environment);
  await fillLedger(ledger);
  const published = await waitFor('a signed head', async () => {
    const found = await publishedHeads(ledger);
    return found.heads.length > 0 ? found : undefined;
  });
  writeFileSync(at('heads.json'), JSON.stringify(published));
  const other = published.heads.map((head) => ({ ...head, hash: 'f'.repeat(64) }));
  writeFileSync(at('other-heads.json'), JSON.stringify({ ...published, heads: other }));
  await ledger.close();
  expect(await runCommand(environment, 'export', at('signed.gz'))).toMatchObject({ code: 0 });
  expect(await runCommand(withoutKey, 'export', at('unsigned.gz'))).toMatchObject({
    code: 0,
    output: expect.stringContaining('it is not signed'),
  });
  // An attacker who can write the file gives an account to another user, and makes the checksum fit.
  const stolen = (line: WrittenLine): WrittenLine =>
    'record' in line && line.collection === 'accounts' ? { ...line, record: { ...line.record, userId: 'mallory' } } : line;
  await writeJournalFile(at('stolen.gz'), linesOf(at('signed.gz'), stolen), undefined);
  await writeJournalFile(at('foreign.gz'), linesOf(at('signed.gz'), stolen), createSigningKey(JSON.parse(newHeadKey())));
  const honest = gunzipSync(readFileSync(at('signed.gz'))).toString('utf8');
  const { end } = JSON.parse(honest.trimEnd().split('\n').at(-1) ?? '');
  const forged = gunzipSync(readFileSync(at('stolen.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const last = JSON.parse(forged.pop() ?? '');
  forged.push(JSON.stringify({ end: { ...last.end, key: end.key, signature: end.signature } }));
  writeFileSync(at('forged.gz'), gzipSync(`${forged.join('\n')}\n`));
}, 60_000);
afterAll(() => rmSync(directory, { recursive: true }));

const newTarget = (LEDGER_HEAD_KEY = key): Environment => ({ ...ledgerEnvironment(), LEDGER_HEAD_KEY });
const withoutOwnKey = (): Environment => {
  const { LEDGER_HEAD_KEY: _own, ...rest } = ledgerEnvironment();
  return rest;
};

describe('an import', () => {
  it.each<[string, string, Environment, string[]]>([
    ['without a key to check signatures', 'HEAD_KEY_REQUIRED', withoutOwnKey(), [at('signed.gz')]],
    ['of a file that is not signed', 'FILE_NOT_SIGNED', newTarget(), [at('unsigned.gz')]],
    ['of a file signed by another ledger', 'FILE_NOT_SIGNED', newTarget(), [at('foreign.gz')]],
    ['with the key of another ledger', 'FILE_NOT_SIGNED', newTarget(newHeadKey()), [at('signed.gz')]],
    ['of a changed record without a signature', 'FILE_NOT_SIGNED', newTarget(), [at('stolen.gz')]],
    ['of a changed record under the old signature', 'FILE_BROKEN', newTarget(), [at('forged.gz')]],
    [
      'of a changed record under the old signature, unsigned files accepted',
      'FILE_BROKEN',
      newTarget(),
      ['--without-heads', at('forged.gz')],
    ],
    ['of a history that a kept head contradicts', 'FILE_BROKEN', newTarget(), ['--heads', at('other-heads.json'), at('signed.gz')]],
    ['with a copy of the heads that does not exist', 'FILE_NOT_FOUND', newTarget(), ['--heads', at('none.json'), at('signed.gz')]],
    ['with a copy of the heads that is not one', 'FILE_BROKEN', newTarget(), ['--heads', at('signed.gz'), at('signed.gz')]],
  ])('%s is rejected with %s, and nothing is written', async (_name, code, target, args) => {
    expect(await runCommand(target, 'import', ...args)).toMatchObject({ code: 1, output: expect.stringContaining(code) });
    expect(await countDocuments(target)).toBe(0);
  });

  it.each<[string, Environment, string[], string]>([
    ['with the kept heads in place of a key', withoutOwnKey(), ['--heads', at('heads.json'), at('signed.gz')], 'imported'],
    ['of an unsigned file on request', newTarget(), ['--without-heads', at('unsigned.gz')], 'although it is not signed'],
    ['without a key on request', withoutOwnKey(), ['--without-heads', at('signed.gz')], 'which is not trusted'],
  ])('%s succeeds and tells what was not checked', async (_name, target, args, output) => {
    expect(await runCommand(target, 'import', ...args)).toMatchObject({ code: 0, output: expect.stringContaining(output) });
    expect(await auditDatabase(target)).toMatchObject({ ok: true });
  });
});

describe('a journal file of an unknown origin', () => {
  const anyone: FileTrust = { trusted: [], kept: [], unsigned: true };
  const record = (collection: unknown, document: unknown) => ({ record: document, collection }) as WrittenLine;

  it.each<[string, unknown]>([
    ['a number for a line', 5],
    ['nothing for a line', null],
    ['a list for a line', []],
    ['a header without content', { header: null }],
    ['a header without shards', { header: { format: 'florin-journal-1', kind: 'export' } }],
    ['an end without content', { end: null }],
    ['a head without content', { head: null }],
    ['a block without content', { block: null }],
    ['a block without a time', { block: { shard: '0', n: 1, epoch: 1, prevHash: '', hash: '', at: 'never', body: '' } }],
    ['a block for a record', record('blocks', { _id: '0:1' })],
    ['a derived document for a record', record('balance_pages', { _id: '0:1' })],
    ['the marker of an import', record('imports', { _id: 'import' })],
    ["a record of the engine's own", record('system.users', { _id: 'eve' })],
    ['a record of no collection', record(undefined, { _id: 'eve' })],
    ['a record that is none', record('accounts', 5)],
    ['a record without an id', record('accounts', { userId: 'eve' })],
    ['a record with a malformed id', record('accounts', { _id: { $oid: 'eve' } })],
  ])('with %s is rejected with a code before anything is written', async (_name, line) => {
    const path = at('crafted.gz');
    rmSync(path, { force: true });
    const lines = async function* (): AsyncGenerator<WrittenLine> {
      let isFirst = true;
      for await (const honest of linesOf(at('signed.gz'), (one) => one)) {
        yield honest;
        if (isFirst) yield line as WrittenLine;
        isFirst = false;
      }
    };
    await writeJournalFile(path, lines(), undefined);
    await expect(checkFiles([path], anyone)).rejects.toMatchObject({ code: 'FILE_BROKEN' });
  });
});

describe('an import of a file that is replaced after it was checked', () => {
  it('is rejected, and what was written is removed again', async () => {
    const path = at('replaced.gz');
    copyFileSync(at('signed.gz'), path);
    let written: object[] = [];
    const steps: string[] = [];
    const call = importJournal({
      paths: [path],
      trust,
      blocks: { insert: async (blocks) => void written.push(...blocks) },
      heads: { add: async (head) => void written.push(head) },
      records: {
        insert: async (_name: string, record: object) => void written.push(record),
        wipe: async () => {
          written = [];
        },
        importPending: async () => false,
        findNonEmpty: async () => undefined,
        beginImport: async () => void steps.push('begun'),
        endImport: async () => void steps.push('ended'),
      } as unknown as RecordStore,
      now: () => new Date(),
      alone: async (_shards, work) => {
        copyFileSync(at('stolen.gz'), path);
        await work();
      },
      rebuild: async () => void steps.push('rebuilt'),
      progress: () => () => undefined,
    });
    await expect(call).rejects.toMatchObject({ code: 'FILE_BROKEN' });
    expect([written, steps]).toEqual([[], ['begun', 'ended']]);
  });
});

describe('a signed journal file', () => {
  const check = async (bytes: Uint8Array): Promise<unknown> => {
    writeFileSync(at('changed.gz'), bytes);
    return checkFiles([at('changed.gz')], trust).then(
      () => 'accepted',
      (error: { code?: unknown }) => error.code,
    );
  };

  it('is accepted as it is', async () => {
    expect(await check(readFileSync(at('signed.gz')))).toBe('accepted');
  });

  it('is rejected with any byte of its content changed', async () => {
    const content = gunzipSync(readFileSync(at('signed.gz')));
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 1), fc.integer({ min: 1, max: 255 }), async (index, flip) => {
        const changed = Buffer.from(content);
        changed[index] = (changed[index] ?? 0) ^ flip;
        expect(await check(gzipSync(changed, { level: 1 }))).toMatch(/^FILE_(BROKEN|NOT_SIGNED)$/);
      }),
      { numRuns: scaled(100) },
    );
  });

  it('is rejected when it is cut off anywhere', async () => {
    const bytes = readFileSync(at('signed.gz'));
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
        expect(await check(bytes.subarray(0, length))).toBe('FILE_BROKEN');
      }),
      { numRuns: scaled(30) },
    );
  });

  it('with a byte of its compressed form changed is rejected, or has the same content', async () => {
    const bytes = readFileSync(at('signed.gz'));
    const content = gunzipSync(bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (index, flip) => {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ flip;
        const outcome = await check(changed);
        if (outcome === 'accepted') expect(gunzipSync(changed).equals(content)).toBe(true);
        else expect(outcome).toMatch(/^FILE_(BROKEN|NOT_SIGNED)$/);
      }),
      { numRuns: scaled(100) },
    );
  });
});
