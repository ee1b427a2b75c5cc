import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashBlock } from './domain/block.ts';
import { MIN_PAGE_BITS, pageOf } from './domain/placement.ts';
import { createBlockStore } from './store/blocks.ts';
import { headDocument, partDocument } from './store/entry-runs.ts';
import { pageDocument } from './store/pages.ts';
import { openDatabase, readDocuments, restoreDocuments, type Stored, untilProjected } from './testing/audit-database.ts';
import { openDatabase as openReleased } from './testing/released.ts';
import { ledgerEnvironment, startLedger } from './testing/world.ts';

describe('the audit of a journal', () => {
  const fill = async () => {
    const environment = ledgerEnvironment({ JOURNAL_RUN_ENTRIES: '2' });
    const ledger = await startLedger(environment);
    const account = await ledger.open();
    const deposit = await ledger.see(account, 'EURe', '10');
    await ledger.resolve(deposit.id);
    const withdrawal = await ledger.withdraw(account, 'EURe', '4');
    const database = await openDatabase(environment);
    const collection = (name: string) => database.collection<Stored>(name);
    await untilProjected(database);
    await waitFor('the runs', async () => ((await collection('entry_runs').countDocuments({ state: 'ready' })) === 2 ? true : undefined));
    // Closing stores the pages.
    await ledger.close();
    const [page, stored] = [`0:${pageOf(account.accountId, MIN_PAGE_BITS)}:0`, await readDocuments(database)];
    return { ledger, account, deposit, withdrawal, database, collection, environment, page, stored };
  };
  type Filled = Awaited<ReturnType<typeof fill>>;
  let journal: Filled;
  beforeAll(async () => {
    journal = await fill();
  });
  // Each test changes a journal without a process.
  beforeEach(() => restoreDocuments(journal.database, journal.stored));
  afterAll(() => journal?.database.close());

  const set = ({ collection }: Filled, name: string, id: string, fields: Record<string, unknown>) =>
    collection(name).updateOne({ _id: id }, { $set: fields });
  /** Replaces a part of a stored text. */
  const rewrite = async (it: Filled, name: string, id: string, field: string, from: string | RegExp, to: string) => {
    const text = String((await it.collection(name).findOne({ _id: id }))?.[field]);
    expect(text.replace(from, to)).not.toBe(text);
    await set(it, name, id, { [field]: text.replace(from, to) });
  };
  /** Replaces a part of the rows of the second run, checksum and all. */
  const rewriteRows = async (it: Filled, from: string, to: string) => {
    const name = 'rows.0';
    const parts = it.collection('entry_run_parts');
    const { data } = (await parts.findOne({ _id: `0:0:4-5:${name}` }, { promoteBuffers: true })) ?? expect.fail('no rows');
    const text = zstdDecompressSync(data as Buffer).toString();
    expect(text).toContain(from);
    const changed = partDocument('0', { level: 0, from: 4, to: 5, epoch: 1 }, { name, data: zstdCompressSync(text.replace(from, to)) });
    await parts.updateOne({ _id: changed._id }, { $set: { data: changed.data, sum: changed.sum } });
  };
  const RUN = { level: 0, from: 6, to: 6, epoch: 1, entries: 1, tokens: ['EURe'], touches: 1 };
  const inBlock = (it: Filled, n: number, from: string | RegExp, to: string) => rewrite(it, 'blocks', `0:${n}`, 'body', from, to);

  it.each<[string, string, (filled: Filled) => Promise<unknown>]>([
    ['a changed amount', '0:4', (it) => inBlock(it, 4, '"EURe","10"]', '"EURe","11"]')],
    ['an amount that is not a number', '0:4', (it) => inBlock(it, 4, '"EURe","10"]', '"EURe","ten"]')],
    ['a changed fact', '0:5', (it) => inBlock(it, 5, '"kytResult","approve"', '"kytResult","fine"')],
    ['a changed account', '0:3', (it) => inBlock(it, 3, it.account.accountId, randomUUID())],
    ['an extra line', '0:3', (it) => inBlock(it, 3, /$/, '\n')],
    ['a changed time', '0:5', (it) => set(it, 'blocks', '0:5', { at: new Date(0) })],
    ['a changed epoch', '0:6', (it) => set(it, 'blocks', '0:6', { epoch: 9 })],
    ['a changed link', '0:5', (it) => set(it, 'blocks', '0:5', { prevHash: 'f'.repeat(64) })],
    ['a removed block', '0:5', (it) => it.collection('blocks').deleteOne({ _id: '0:5' })],
    ['a removed last block', '0:6', (it) => it.collection('blocks').deleteOne({ _id: '0:6' })],
    ['a removed part of a run', '0:5', (it) => it.collection('entry_run_parts').deleteOne({ _id: '0:0:4-5:rows.0' })],
    ['a changed row of a run', '0:5', (it) => rewriteRows(it, '"10"', '"19"')],
    ['a changed byte of a run', '0:5', (it) => set(it, 'entry_run_parts', '0:0:4-5:filter', { data: Buffer.alloc(8) })],
    ['a removed run', '0:1', (it) => it.collection('entry_runs').deleteOne({ _id: '0:0:1' })],
    ['a part of another term in a run', '0:5', (it) => set(it, 'entry_run_parts', '0:0:4-5:filter', { epoch: 7 })],
    [
      'a part that another writer of release 0.2.0 left in a run',
      '0:5',
      async (it) => {
        const parts = it.collection('entry_run_parts');
        const run = { level: 0, from: 4, to: 5, epoch: 1 };
        const { epoch, ...part } = partDocument('0', run, { name: 'filter', data: Buffer.alloc(64, 255) });
        await parts.deleteOne({ _id: part._id });
        await parts.insertOne(part);
      },
    ],
    ['a run under another name', '0:5', (it) => set(it, 'entry_runs', '0:0:4', { shard: '1' })],
    ['a run of blocks that are not there', '0:9', (it) => it.collection('entry_runs').insertOne(headDocument('0', { ...RUN, to: 9 }))],
    ['a changed deposit state', '0:5', (it) => set(it, 'deposits', it.deposit.id, { status: 'rejected' })],
    ['a changed deposit amount', '0:4', (it) => set(it, 'deposits', it.deposit.id, { amount: '11' })],
    ['a changed withdrawal state', '0:6', (it) => set(it, 'withdrawals', it.withdrawal.id, { status: 'completed', stage: 2, asOf: 1 })],
    ['a removed deposit', '0:4', (it) => it.collection('deposits').deleteOne({ _id: it.deposit.id })],
    ['an added deposit', '0:6', (it) => it.collection('deposits').insertOne({ _id: randomUUID(), shard: '0', position: 100_001 })],
    ['a changed balance', '0:6', (it) => rewrite(it, 'balance_pages', it.page, 'text', '"6"', '"7"')],
    ['a changed status on a page', '0:6', (it) => rewrite(it, 'balance_pages', it.page, 'text', '"active"', '"blocked"')],
    ['a changed system balance', '0:6', (it) => rewrite(it, 'balance_pages', '0:system:0', 'text', '"-10"', '"-9"')],
    ['a page of a later block', '0:9', (it) => set(it, 'balance_pages', it.page, { asOf: 9 })],
    ['a removed page', '0:2', (it) => it.collection('balance_pages').deleteOne({ _id: it.page })],
    ['a removed system page', '0:4', (it) => it.collection('balance_pages').deleteOne({ _id: '0:system:0' })],
    [
      'a valid page that is older than the checkpoint',
      '0:3',
      (it) => {
        const text = JSON.stringify([[it.account.accountId, 'provisioning', [], []]]);
        const { _id, ...fields } = pageDocument('0', { page: it.page.split(':')[1] ?? '', slot: 0, asOf: 2, text });
        return set(it, 'balance_pages', it.page, fields);
      },
    ],
    ['a checkpoint with another hash', '0:6', (it) => set(it, 'checkpoints', '0', { 'paged.hash': 'f'.repeat(64) })],
  ])('reports the block of %s', async (_name, block, tamper) => {
    await tamper(journal);
    const report = await journal.ledger.verify();
    expect(report).toMatchObject({ ok: false, firstBadBlock: block });
    expect(report.problem).not.toBe('');
  });

  it('detects a block that was rewritten with a matching hash', async () => {
    const store = createBlockStore(journal.database);
    const last = await store.find('0', 6);
    if (last === undefined) throw new Error('the block does not exist');
    const forged = { ...last, body: last.body.replaceAll(journal.withdrawal.txHash, `0x${'cd'.repeat(32)}`) };
    expect(forged.body).not.toBe(last.body);
    await journal.collection('blocks').deleteOne({ _id: '0:6' });
    await store.insert({ ...forged, hash: hashBlock(forged) });
    expect(await journal.ledger.verify()).toMatchObject({ ok: false, firstBadBlock: '0:6' });
  });

  it('detects a block of an earlier term than the one before it', async () => {
    const store = createBlockStore(journal.database);
    const last = await store.find('0', 6);
    if (last === undefined) throw new Error('the block does not exist');
    const forged = { ...last, epoch: last.epoch - 1 };
    await journal.collection('blocks').deleteOne({ _id: '0:6' });
    await store.insert({ ...forged, hash: hashBlock(forged) });
    const { firstBadBlock, problem } = await journal.ledger.verify();
    expect([firstBadBlock, problem]).toEqual(['0:6', expect.stringContaining('earlier term')]);
  });

  it('detects that the row by which an open hold expires is missing or changed', async () => {
    const environment = ledgerEnvironment();
    const ledger = await startLedger(environment);
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '10');
    const transfers = [{ debit: account.accountId, credit: 'settlement', token: 'EURe', amount: '1' }];
    const [kept, extended, voided] = [randomUUID() as string, randomUUID() as string, randomUUID() as string] as const;
    const holdExpiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
    const entries = [kept, extended, voided].map((entryId) => ({ entryId, transfers, holdExpiresAt }));
    await ledger.entries.createEntries({ entries }, ledger.operator);
    const { accountId } = account;
    const expiresAt = timestampFromDate(new Date(Date.now() + 7_200_000));
    await ledger.holds.extendHold({ accountId, holdId: extended, changeId: randomUUID(), expiresAt }, ledger.operator);
    await ledger.holds.voidHold({ accountId, holdId: voided }, ledger.operator);
    const database = await openReleased(environment);
    await untilProjected(database);
    await ledger.close();
    const rows = database.collection<{ _id: string; [field: string]: unknown }>('open_holds');
    const stored = await rows.find({}).toArray();
    expect(stored).toHaveLength(2);
    expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
    for (const row of stored) {
      const { _id } = row;
      for (const changed of [undefined, { ...row, accountId: randomUUID() }, { ...row, expiresAt: new Date(0) }, { ...row, shard: '1' }]) {
        await rows.deleteOne({ _id });
        if (changed !== undefined) await rows.insertOne(changed);
        expect(await ledger.verify()).toMatchObject({ ok: false, problem: expect.stringContaining(String(_id).slice(2)) });
        await rows.deleteOne({ _id });
        await rows.insertOne(row);
      }
    }
    // A writer that was replaced may leave a row behind, which its expiry removes.
    await rows.insertOne({ _id: `0:${voided}`, shard: '0', accountId, expiresAt: new Date() });
    expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
  });

  it('detects that the row by which a pending deposit is screened is missing, changed or put off for too long', async () => {
    const environment = ledgerEnvironment();
    const ledger = await startLedger(environment);
    const account = await ledger.open();
    const deposit = await ledger.see(account, 'EURe', '10');
    const database = await openReleased(environment);
    await untilProjected(database);
    await ledger.close();
    const rows = database.collection<{ _id: string; [field: string]: unknown }>('pending_screenings');
    const row = (await rows.findOne({ _id: deposit.id })) ?? expect.fail('no row');
    expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
    const later = new Date(Date.now() + 86_400_000);
    for (const changed of [undefined, { ...row, accountId: randomUUID() }, { ...row, dueAt: later }, { ...row, shard: '1' }]) {
      await rows.deleteOne({ _id: row._id });
      if (changed !== undefined) await rows.insertOne(changed);
      expect(await ledger.verify()).toMatchObject({ ok: false, problem: expect.stringContaining(deposit.id) });
      await rows.deleteOne({ _id: row._id });
      await rows.insertOne(row);
    }
  });

  it('prevents the start with a journal that was changed', async () => {
    await inBlock(journal, 5, '"EURe","10"]', '"EURe","1000000"]');
    await journal.collection('balance_pages').deleteMany({});
    await journal.collection('checkpoints').deleteMany({});
    await expect(startLedger(journal.environment)).rejects.toThrow('block 0:5');
  });

  it.each<[string, (filled: Filled) => Promise<unknown>]>([
    ['changed', (it) => inBlock(it, 6, '"EURe","4"]', '"EURe","3"]')],
    ['missing, as after a restore from a backup', (it) => it.collection('blocks').deleteOne({ _id: '0:6' })],
  ])('prevents the start when the block of the checkpoint is %s', async (_name, tamper) => {
    await tamper(journal);
    await expect(startLedger(journal.environment)).rejects.toThrow('block 0:6');
  });

  it('is satisfied with the journal as it was written', async () => {
    expect(await journal.ledger.verify()).toMatchObject({ ok: true, firstBadBlock: '', problem: '', blocks: 6n });
  });
});
