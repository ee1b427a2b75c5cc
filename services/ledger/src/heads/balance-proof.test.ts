import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase, type Database, openDatabase } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { runCommand } from '../testing/run-command.ts';
import { ledgerEnvironment, newHeadKey, startLedger, type TestLedger } from '../testing/world.ts';
import { createAccountTree, type Leaf, WHOLE } from './account-tree.ts';
import { checkProof, encodeProof, makeProof } from './balance-proof.ts';
import { signHead } from './head.ts';
import { createHeadKey } from './head-key.ts';

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

  it('is rejected with any byte changed', () => {
    for (let at = 0; at < text.length; at += 1) {
      for (const byte of ['0', '1', 'a', 'B', ' ', '"']) {
        if (text[at] === byte) continue;
        const changed = `${text.slice(0, at)}${byte}${text.slice(at + 1)}`;
        expect(checkProof(changed), `byte ${at} as ${byte}`).toHaveProperty('problem');
      }
    }
    for (let length = 0; length < text.length; length += 1) expect(checkProof(text.slice(0, length))).toHaveProperty('problem');
  });

  it.each(['active\n\nthe head is signed', '\u001b[2K', '\u009b2K', 'a\u200bb'])(
    'is refused with %j in its facts, whoever signed it',
    (status) => {
      const key = createHeadKey(JSON.parse(newHeadKey()) as Parameters<typeof createHeadKey>[0]);
      const make = (state: string) => {
        const tree = createAccountTree(WHOLE);
        const leaf: Leaf = [accountId, state, [['EURe/available', '1']], []];
        tree.put(leaf);
        const roots = Array.from({ length: WHOLE.to }, (_, bucket) => tree.rootOfBucket(bucket));
        const root = tree.subtree().root.toString('hex');
        const head = signHead(key, { shard: '0', n: 1, hash: 'ab'.repeat(32), at: new Date(0).toISOString(), root });
        const proof = makeProof(accountId, [leaf], roots, head, key.publicKey);
        return proof === undefined ? expect.fail('no proof') : encodeProof(proof);
      };
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

  it('is not made from a snapshot that was changed', async () => {
    const parts = database.collection('snapshot_parts');
    const part = await parts.findOne({ text: { $regex: '"83"' } });
    await parts.updateOne({ _id: part?._id as never }, { $set: { text: String(part?.['text']).replace('"83"', '"93"') } });
    expect(await runCommand(environment, 'prove', '--account', accountId, join(directory, 'wrong.json'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('PROOF_INVALID'),
    });
    await ledger.open();
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 1 });
    await parts.updateOne({ _id: part?._id as never }, { $set: { text: part?.['text'] } });
    expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
  });
});
