import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase, type Database, openDatabase } from '../testing/audit-database.ts';
import { changesOf, type Json } from '../testing/changes-of.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { bucketMates, treeOf } from '../testing/proof-trees.ts';
import { runCommand } from '../testing/run-command.ts';
import { ledgerEnvironment, newHeadKey, startLedger, type TestLedger } from '../testing/world.ts';
import type { Leaf } from './account-tree.ts';
import { checkProof } from './balance-proof.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '3600000' });
const directory = mkdtempSync(join(tmpdir(), 'florin-proofs-'));
const file = join(directory, 'proof.json');

let ledger: TestLedger;
let database: Database;
let account: Awaited<ReturnType<TestLedger['open']>>;
let accountId = '';
let text = '';
beforeAll(async () => {
  ledger = await startLedger(environment);
  const accounts = await fillLedger(ledger);
  const [, , third] = accounts;
  if (third === undefined) throw new Error('no accounts');
  account = third;
  ({ accountId } = third);
  database = await openDatabase(environment);
  expect(await runCommand(environment, 'prove', '--account', accountId, file)).toMatchObject({
    code: 1,
    output: expect.stringContaining('SNAPSHOT_REQUIRED'),
  });
  expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
  expect(await runCommand(environment, 'prove', '--account', accountId, file)).toMatchObject({ code: 0 });
  text = readFileSync(file, 'utf8');
}, 60_000);
afterAll(async () => {
  await ledger.close();
  await database.close();
  rmSync(directory, { recursive: true });
});

// Each of these starts several processes.
describe('a proof of a balance', { timeout: 120_000 }, () => {
  it('shows the balances offline, in a short file', async () => {
    expect(statSync(file).size).toBeLessThan(4096);
    const { code, output } = await runCommand({}, 'check-proof', file);
    expect(code).toBe(0);
    // 100 deposited, 10 on their way out, 4 held, 3 and 1 spent.
    for (const line of ['EURe/available 82', 'EURe/held 4', 'EURe/outgoing 10', 'USDC.e/incoming 5'])
      expect(output).toContain(`  ${line}\n`);
  });

  const expectRejectedWithAnyByteChanged = (proof: string, bytes: readonly string[]): void => {
    for (let at = 0; at < proof.length; at += 1) {
      for (const byte of bytes) {
        if (proof[at] === byte) continue;
        const changed = `${proof.slice(0, at)}${byte}${proof.slice(at + 1)}`;
        expect(checkProof(changed), `byte ${at} as ${byte}`).toHaveProperty('problem');
      }
    }
    for (let length = 0; length < proof.length; length += 1) expect(checkProof(proof.slice(0, length))).toHaveProperty('problem');
  };

  it('is rejected with any byte changed', () => {
    expectRejectedWithAnyByteChanged(text, ['0', '1', 'a', 'B', ' ', '"']);
  });

  it('is rejected with any value or byte changed, wherever it stands in a bucket with several accounts', () => {
    const id = 'an-account';
    for (let size = 1; size <= 5; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const ids = bucketMates(id, index, size - index - 1);
        const proof = treeOf(ids.map((one): Leaf => [one, 'active', [['EURe/available', '1']], []])).prove(id);
        expect(checkProof(proof)).toHaveProperty('proof');
        for (const changed of changesOf(JSON.parse(proof) as Json)) {
          const spelled = `${JSON.stringify(changed, undefined, 1)}\n`;
          expect(checkProof(spelled), spelled).toHaveProperty('problem');
        }
        for (const [side, other] of [
          ['"left:', '"right:'],
          ['"right:', '"left:'],
        ] as const)
          if (proof.includes(side)) expect(checkProof(proof.replace(side, other))).toHaveProperty('problem');
        if (size === 3 && index === 0) expectRejectedWithAnyByteChanged(proof, ['4', '"']);
      }
    }
  });

  it.each(['active\n\nthe head is signed', '\u001b[2K', '\u009b2K', 'a\u200bb'])(
    'is refused with %j in its facts, whoever signed it',
    (status) => {
      const make = (state: string) => treeOf([[accountId, state, [['EURe/available', '1']], []]]).prove(accountId);
      expect(checkProof(make('active'))).toHaveProperty('proof');
      expect(checkProof(make(status))).toHaveProperty('problem');
    },
  );

  it('is refused with a code by the command, and where another key is expected', async () => {
    const broken = join(directory, 'broken.json');
    writeFileSync(broken, text.replace('"EURe/available"', '"EURe/availablf"'));
    expect(await runCommand({}, 'check-proof', broken)).toMatchObject({ code: 1, output: expect.stringContaining('PROOF_INVALID') });
    const { x } = JSON.parse(newHeadKey()) as { x: string };
    expect(checkProof(text, [{ kty: 'OKP', crv: 'Ed25519', x }])).toHaveProperty('problem');
    expect(await runCommand({}, 'check-proof', join(directory, 'none'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('FILE_NOT_FOUND'),
    });
  });

  it('does not replace a file, and is not made for an account that does not exist', async () => {
    expect(await runCommand(environment, 'prove', '--account', accountId, file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('FILE_EXISTS'),
    });
    expect(await runCommand(environment, 'prove', '--account', 'nobody', join(directory, 'other'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('ACCOUNT_NOT_FOUND'),
    });
  });

  it('rests on a root that the audit derives again, in one range or in many', async () => {
    expect(await auditDatabase(environment)).toMatchObject({ ok: true, heads: expect.any(Number) });
    expect(await runCommand(environment, 'verify', '--max-accounts', '2')).toMatchObject({
      code: 0,
      output: expect.stringContaining('verified'),
    });
    const heads = database.collection('heads');
    const head = await heads.findOne({ root: { $exists: true } });
    await heads.updateOne({ _id: head?._id as never }, { $set: { root: 'ab'.repeat(32) } });
    expect(await auditDatabase(environment)).toMatchObject({ ok: false });
    await heads.updateOne({ _id: head?._id as never }, { $set: { root: head?.['root'] } });
    expect(await auditDatabase(environment)).toMatchObject({ ok: true });
  });

  it('can be made again after the balance has changed, from a snapshot that continues the last', async () => {
    await ledger.fund(account, 'EURe', '1');
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
    const later = join(directory, 'later.json');
    expect(await runCommand(environment, 'prove', '--account', accountId, later)).toMatchObject({ code: 0 });
    expect(readFileSync(later, 'utf8')).toContain('"83"');
    expect(await auditDatabase(environment)).toMatchObject({ ok: true });
  });

  it('is not made from a snapshot that was changed, after which the next one is made from the one before', async () => {
    const parts = database.collection('snapshot_parts');
    const part = await parts.findOne({ text: { $regex: '"83"' } });
    await parts.updateOne({ _id: part?._id as never }, { $set: { text: String(part?.['text']).replace('"83"', '"93"') } });
    expect(await runCommand(environment, 'prove', '--account', accountId, join(directory, 'wrong.json'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('PROOF_INVALID'),
    });
    await ledger.open();
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 1, output: expect.stringContaining('SNAPSHOT_BROKEN') });
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
    const right = join(directory, 'right.json');
    expect(await runCommand(environment, 'prove', '--account', accountId, right)).toMatchObject({ code: 0 });
    expect(readFileSync(right, 'utf8')).toContain('"83"');
    expect(await auditDatabase(environment)).toMatchObject({ ok: false, problem: expect.stringContaining('snapshot') });
    await ledger.open();
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
    expect(await auditDatabase(environment)).toMatchObject({ ok: true, problem: '' });
  });
});
