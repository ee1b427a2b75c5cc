import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPublishedHeads } from '@florin/evm/reserves';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestoreError } from '../archive/assert-restored.ts';
import { auditDatabase, type Database, openDatabase } from '../testing/audit-database.ts';
import { fillLedger } from '../testing/fill-ledger.ts';
import { publishedHeads } from '../testing/published-heads.ts';
import { runCommand } from '../testing/run-command.ts';
import { ledgerEnvironment, newHeadKey, startLedger } from '../testing/world.ts';

const environment = ledgerEnvironment({ LEDGER_HEAD_MS: '50' });
const directory = mkdtempSync(join(tmpdir(), 'florin-heads-'));
const keptFile = join(directory, 'heads.json');

type Block = { _id: string; shard: string; n: number; epoch: number; prevHash: string; hash: string; at: Date; body: string };

/** Changes block n and every hash after it, as an attacker with access to the database can. */
const rewrite = async (database: Database, n: number, change: (body: string) => string): Promise<void> => {
  const blocks = database.collection<Block>('blocks');
  let prevHash: string | undefined;
  for await (const block of blocks.find({ n: { $gte: n } }).sort({ n: 1 })) {
    const body = block.n === n ? change(block.body) : block.body;
    const previous: string = prevHash ?? block.prevHash;
    const header = JSON.stringify(['florin-block-2', block.shard, block.n, block.epoch, previous, block.at.toISOString()]);
    prevHash = hash('sha256', `${header}\n${body}`);
    await blocks.updateOne({ _id: block._id }, { $set: { prevHash: previous, hash: prevHash, body } });
  }
};

let database: Database;
let last = 0;
let target = 0;
beforeAll(async () => {
  const ledger = await startLedger(environment);
  await fillLedger(ledger);
  database = await openDatabase(environment);
  const [tail] = await database.collection<Block>('blocks').find({}).sort({ n: -1 }).limit(1).toArray();
  last = tail?.n ?? 0;
  const published = await waitFor('the last block to be signed', async () => {
    const document = await publishedHeads(ledger);
    return document.heads[0]?.block === last ? document : undefined;
  });
  writeFileSync(keptFile, JSON.stringify(published));
  await ledger.close();
  const seen = await database.collection<Block>('blocks').findOne({ body: /deposit\.seen/ }, { sort: { n: 1 } });
  target = seen?.n ?? 0;
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

describe('heads', () => {
  it('are signed while blocks are appended, and held against the journal', async () => {
    const audit = await auditDatabase(environment);
    expect(audit).toMatchObject({ ok: true });
    expect(audit.heads).toBeGreaterThan(1);
    expect(await runCommand(environment, 'verify', '--heads', keptFile)).toMatchObject({ code: 0 });
  });

  it('are rejected when another key signed them', async () => {
    const { ok, problem, firstBadBlock } = await auditDatabase({ ...environment, LEDGER_HEAD_KEY: newHeadKey() });
    expect([ok, firstBadBlock, problem]).toEqual([false, expect.stringMatching(/^0:\d+$/), expect.stringContaining('not trusted')]);
  });

  it('stay valid when the key is replaced and the former one is still trusted', async () => {
    const { d: _private, ...former } = JSON.parse(environment['LEDGER_HEAD_KEY'] ?? '') as Record<string, string>;
    const changed = { ...environment, LEDGER_HEAD_KEY: newHeadKey(), LEDGER_HEAD_TRUST: JSON.stringify([former]) };
    expect(await auditDatabase(changed)).toMatchObject({ ok: true });
  });

  it('reveal a history that was rewritten with every hash, to anyone who kept one', async () => {
    const stored = await database.collection('heads').find({}).toArray();
    const originals = await database.collection('blocks').find({}).toArray();
    await rewrite(database, target, (body) => body.replace(/0x[0-9a-f]{64}/g, `0x${'ee'.repeat(32)}`));
    // A stored head reveals it already, so an attacker removes the stored heads as well.
    expect(await auditDatabase(environment)).toMatchObject({ ok: false });
    await database.collection('heads').deleteMany({});
    expect(await runCommand(environment, 'rebuild')).toMatchObject({ code: 0 });
    expect(await auditDatabase(environment)).toMatchObject({ ok: true });
    const kept = readPublishedHeads(readFileSync(keptFile, 'utf8'));
    const { ok, firstBadBlock } = await auditDatabase({ ...environment, LEDGER_HEAD_KEY: '' }, kept);
    expect(ok).toBe(false);
    const named = Number(firstBadBlock.split(':')[1]);
    expect(named).toBeGreaterThanOrEqual(target);
    expect(named).toBeLessThanOrEqual(last);
    for (const name of ['blocks', 'heads'] as const) {
      await database.collection(name).deleteMany({});
      await database.collection(name).insertMany(name === 'blocks' ? originals : stored);
    }
    expect(await runCommand(environment, 'rebuild')).toMatchObject({ code: 0 });
    expect(await auditDatabase(environment)).toMatchObject({ ok: true });
  });

  it('reveal blocks that were cut off', async () => {
    const cut = await database
      .collection('blocks')
      .find({ n: { $gt: last - 2 } })
      .toArray();
    await database.collection('blocks').deleteMany({ n: { $gt: last - 2 } });
    const { code, output } = await runCommand(environment, 'verify', '--heads', keptFile);
    expect([code, output]).toEqual([1, expect.stringContaining(`before block 0:${last - 1}: `)]);
    await expect(startLedger(environment)).rejects.toThrow(RestoreError);
    await database.collection('blocks').insertMany(cut);
    expect(await auditDatabase(environment)).toMatchObject({ ok: true });
  });

  it('are not signed without a key', async () => {
    const without = ledgerEnvironment({ LEDGER_HEAD_KEY: '' });
    const ledger = await startLedger(without);
    await ledger.open();
    expect(await ledger.journal.listHeads({})).toMatchObject({ keys: [], heads: [] });
    expect(await ledger.verify()).toMatchObject({ ok: true, heads: 0 });
    await ledger.close();
  });
});
