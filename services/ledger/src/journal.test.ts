import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { waitFor } from '@florin/rpc/testing';
import mongoose from 'mongoose';
import { afterEach, describe, expect, it } from 'vitest';
import { hashBlock } from './domain/block.ts';
import { MIN_PAGE_BITS, pageOf } from './domain/placement.ts';
import type { BlockStore } from './journal/ports.ts';
import { createBlockStore } from './store/blocks.ts';
import { pageDocument } from './store/pages.ts';
import type { ProjectionParts } from './store/projections.ts';
import { codeOf, ledgerEnvironment, randomTxHash, startLedger, type TestLedger } from './testing/world.ts';

let releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.reverse()) await release();
  releases = [];
});

type Environment = ReturnType<typeof ledgerEnvironment>;
type Document = { _id: string; [field: string]: unknown };

const start = async (environment: Environment, overrides: Parameters<typeof startLedger>[1] = {}): Promise<TestLedger> => {
  const ledger = await startLedger(environment, overrides);
  let open = true;
  const close = async () => {
    if (open) await ledger.close();
    open = false;
  };
  releases.push(close);
  return { ...ledger, close };
};

const open = (environment: Environment) => {
  const connection = mongoose.createConnection(environment['MONGODB_URI'] ?? '', { dbName: environment['MONGODB_DATABASE'] ?? '' });
  releases.push(() => connection.close());
  return (name: string) => connection.collection<Document>(name);
};

const engineDown = () => Object.assign(new Error('connection reset'), { name: 'MongoNetworkError' });

describe('the journal', () => {
  it('serves the same after a restart', async () => {
    const environment = ledgerEnvironment();
    const first = await start(environment);
    const account = await first.open();
    await first.fund(account, 'EURe', '1000');
    const withdrawal = await first.withdraw(account, 'EURe', '300');
    await first.see(account, 'USDC.e', '5');
    const before = await first.tokenBalances(account);
    const lists = [await first.movements.listDeposits({}, account.user), await first.movements.listWithdrawals({}, account.user)];
    await first.close();

    const second = await start(environment);
    expect(await second.tokenBalances(account)).toEqual(before);
    expect([await second.movements.listDeposits({}, account.user), await second.movements.listWithdrawals({}, account.user)]).toEqual(
      lists,
    );
    expect((await second.withdraw(account, 'EURe', '300', withdrawal.id)).id).toBe(withdrawal.id);
    expect(await second.verify()).toMatchObject({ ok: true, blocks: 8n, entries: 6n, sums: { EURe: '0', 'USDC.e': '0' } });
  });

  it('puts what arrives together into few blocks of bounded size', async () => {
    let hold = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        while (hold) await sleep(5);
        return real.insert(block);
      },
    });
    const environment = ledgerEnvironment();
    const ledger = await start(environment, { blocks, environment: { JOURNAL_BLOCK_ENTRIES: '8' } });
    const account = await ledger.open();
    hold = true;
    const calls = Array.from({ length: 64 }, () => ledger.see(account, 'EURe', '1'));
    // A deposit's id is claimed right before its entry goes to the journal.
    const claims = open(environment)('movement_claims');
    await waitFor('all to be on their way', async () => ((await claims.countDocuments()) === 64 ? true : undefined));
    await sleep(100);
    hold = false;
    await Promise.all(calls);
    const { ok, blocks: written, entries } = await ledger.verify();
    // Two more of the account itself.
    expect({ ok, entries }).toEqual({ ok: true, entries: 66n });
    expect(written).toBeGreaterThanOrEqual(10n);
    expect(written).toBeLessThan(20n);
  });

  it('refuses politely when too much waits', async () => {
    let hold = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        while (hold) await sleep(5);
        return real.insert(block);
      },
    });
    const ledger = await start(ledgerEnvironment(), { blocks, environment: { JOURNAL_QUEUE: '5', JOURNAL_BLOCK_ENTRIES: '1' } });
    const account = await ledger.open();
    hold = true;
    const calls = Array.from({ length: 20 }, () => codeOf(ledger.see(account, 'EURe', '1')));
    await waitFor('refusals', async () =>
      (await Promise.race([Promise.any(calls), sleep(1)])) === 'SERVICE_UNAVAILABLE' ? true : undefined,
    );
    hold = false;
    const codes = await Promise.all(calls);
    const booked = codes.filter((code) => code === 'no error').length;
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE')).toHaveLength(20 - booked);
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe(booked.toString());
  });

  it('never forks under two writers, and loses and doubles nothing', async () => {
    const environment = ledgerEnvironment();
    const [a, b] = [await start(environment), await start(environment)];
    const account = await a.open();
    await a.fund(account, 'EURe', '100');
    const event = recordRequest(account.accountId);
    const work = Array.from({ length: 60 }, (_, index) => {
      const ledger = index % 2 === 0 ? a : b;
      if (index % 6 === 0) return codeOf(ledger.movements.recordDeposit(event, ledger.operator));
      if (index % 3 === 1) return codeOf(ledger.withdraw(account, 'EURe', '10'));
      return codeOf(ledger.see(account, 'GBPe', '1'));
    });
    const codes = await Promise.all(work);
    const withdrawals = codes.filter((_code, index) => index % 6 !== 0 && index % 3 === 1);
    expect(withdrawals.filter((code) => code === 'no error')).toHaveLength(10);
    expect(withdrawals.filter((code) => code === 'INSUFFICIENT_FUNDS')).toHaveLength(10);
    expect(codes.filter((code) => code !== 'no error' && code !== 'INSUFFICIENT_FUNDS')).toEqual([]);
    for (const ledger of [a, b]) {
      await waitFor('the same balances', async () => {
        const balances = await ledger.tokenBalances(account);
        return balances['GBPe']?.processingDeposits === '30' && balances['EURe']?.spendable === '0' ? true : undefined;
      });
      expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe(event.amount);
      expect(await ledger.verify()).toMatchObject({ ok: true, entries: 45n });
    }
    const { deposits } = await b.movements.listDeposits({}, account.user);
    expect(deposits).toHaveLength(32);
  });

  it('bases refusals on blocks of others as well', async () => {
    const environment = ledgerEnvironment();
    const slow = { environment: { JOURNAL_REFRESH_MS: '60000' } };
    const [a, b] = [await start(environment, slow), await start(environment, slow)];
    const account = await a.open();
    expect(await codeOf(b.withdraw(account, 'EURe', '5'))).toBe('INSUFFICIENT_FUNDS');
    await a.fund(account, 'EURe', '5');
    expect((await b.withdraw(account, 'EURe', '5')).status).toBe(WithdrawalStatus.PENDING);
    expect(await codeOf(a.withdraw(account, 'EURe', '1'))).toBe('INSUFFICIENT_FUNDS');
  });
});

const recordRequest = (accountId: string) => ({
  accountId,
  chainId: 100,
  txHash: randomTxHash(),
  logIndex: 0,
  token: 'EURe',
  amount: '77',
});

describe('an engine that fails in the middle of an append', () => {
  it.each([
    ['before the block is written', false],
    ['after the block is written', true],
  ])('%s, and recovers: the entry is there once', async (_name, written) => {
    let failures = 0;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        if (failures === 0) return real.insert(block);
        failures -= 1;
        if (written) await real.insert(block);
        throw engineDown();
      },
    });
    const ledger = await start(ledgerEnvironment(), { blocks });
    const account = await ledger.open();
    failures = 2;
    await Promise.all(Array.from({ length: 5 }, () => ledger.see(account, 'EURe', '1')));
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe('5');
    expect(await ledger.verify()).toMatchObject({ ok: true, entries: 7n });
  });

  it.each([
    ['with the block written', true],
    ['with nothing written', false],
  ])('for longer than is waited, %s: callers learn that it is unknown, a repeat learns the truth', async (_name, written) => {
    let down = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        if (down && written) await real.insert(block);
        if (down) throw engineDown();
        return real.insert(block);
      },
      find: (shard, n) => (down ? Promise.reject(engineDown()) : real.find(shard, n)),
    });
    const ledger = await start(ledgerEnvironment(), { blocks });
    const account = await ledger.open();
    const request = recordRequest(account.accountId);
    down = true;
    expect(await codeOf(ledger.movements.recordDeposit(request, ledger.operator))).toBe('SERVICE_UNAVAILABLE');
    down = false;
    const { deposit } = await ledger.movements.recordDeposit(request, ledger.operator);
    await ledger.resolve(deposit?.id ?? '');
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '77', processingDeposits: '0' });
    expect(await ledger.verify()).toMatchObject({ ok: true, entries: 4n });
  });

  it('lets a late insert win its number, and builds on it', async () => {
    let late: (() => Promise<unknown>) | undefined;
    let armed = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        if (!armed) return real.insert(block);
        late = () => real.insert(block);
        throw engineDown();
      },
      find: (shard, n) => (armed ? Promise.reject(engineDown()) : real.find(shard, n)),
    });
    const ledger = await start(ledgerEnvironment(), { blocks, environment: { JOURNAL_REFRESH_MS: '60000' } });
    const account = await ledger.open();
    const request = recordRequest(account.accountId);
    armed = true;
    expect(await codeOf(ledger.movements.recordDeposit(request, ledger.operator))).toBe('SERVICE_UNAVAILABLE');
    armed = false;
    // Between the look at the tail and the write of the next block, the lost insert arrives after all.
    await Promise.all([late?.(), ledger.see(account, 'EURe', '1')]);
    await ledger.movements.recordDeposit(request, ledger.operator);
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe('78');
    expect(await ledger.verify()).toMatchObject({ ok: true, entries: 4n });
  });
});

describe('projections', () => {
  const IMPATIENT = { JOURNAL_PROJECTION_WAIT_MS: '50' };
  const { APPROVED, REJECTED } = DepositStatus;

  /** What is written behind the journal, by the collection that it goes to. */
  const STEPS = ['movements', 'holds', 'screenings', 'accounts', 'entries', 'checkpoint'] as const;
  type Step = (typeof STEPS)[number];

  /** Stores of which one fails while `isBroken`. */
  const failing = (step: Step, isBroken: () => boolean): Parameters<typeof startLedger>[1] => {
    const guarded =
      <A extends unknown[]>(own: Step, write: (...args: A) => Promise<void>) =>
      (...args: A): Promise<void> =>
        own === step && isBroken() ? Promise.reject(engineDown()) : write(...args);
    return {
      checkpoints: (real) => ({ ...real, saveProjected: guarded('checkpoint', real.saveProjected) }),
      projectionParts: ({ accounts, entries, holds, movements, screenings }: ProjectionParts) => ({
        accounts: { ...accounts, saveStatuses: guarded('accounts', accounts.saveStatuses) },
        entries: { ...entries, save: guarded('entries', entries.save) },
        holds: { ...holds, save: guarded('holds', holds.save) },
        movements: { ...movements, save: guarded('movements', movements.save) },
        screenings: { ...screenings, save: guarded('screenings', screenings.save) },
      }),
      environment: IMPATIENT,
    };
  };

  const openAccounts = async (environment: Environment) => {
    const ledger = await start(environment);
    const accounts = [await ledger.open(), await ledger.open()] as const;
    await ledger.close();
    return accounts;
  };

  it.each(STEPS)('killed before the %s are written are completed by the next start', async (step) => {
    const environment = ledgerEnvironment();
    const [account, ended] = await openAccounts(environment);
    const first = await start(
      environment,
      failing(step, () => true),
    );
    const deposit = await first.see(account, 'EURe', '10');
    await first.resolve(deposit.id);
    const hold = { entryId: randomUUID(), transfers: [{ debit: account.accountId, credit: 'settlement', token: 'EURe', amount: '4' }] };
    const held = { ...hold, holdExpiresAt: timestampFromDate(new Date(Date.now() + 3_600_000)) };
    await first.entries.createEntries({ entries: [held] }, first.operator);
    const closing = first.accounts.closeAccount({ accountId: ended.accountId }, first.operator);
    expect(await codeOf(closing)).toBe(step === 'checkpoint' ? 'no error' : 'SERVICE_UNAVAILABLE');
    // What is durable is answered from the journal although no list shows it yet, repeats included.
    expect((await first.resolve(deposit.id)).deposit?.status).toBe(APPROVED);
    expect(await codeOf(first.resolve(deposit.id, REJECTED))).toBe('DEPOSIT_STATE_CONFLICT');
    expect((await first.tokenBalances(account))['EURe']).toMatchObject({ spendable: '6', nonSpendable: '4' });
    await first.close();

    const second = await start(environment);
    await waitFor('the projection', async () => {
      const { deposits } = await second.movements.listDeposits({}, account.user);
      return deposits[0]?.status === APPROVED ? true : undefined;
    });
    const { account: closed } = await second.accounts.closeAccount({ accountId: ended.accountId }, second.operator);
    expect(closed?.closedAt).toBeDefined();
    expect(await second.verify()).toMatchObject({ ok: true, entries: 8n });
    const collection = open(environment);
    expect(await collection('entries').countDocuments()).toBe(8);
    expect(await collection('open_holds').countDocuments()).toBe(1);
    await waitFor('the checkpoint', async () =>
      (await collection('checkpoints').findOne({ _id: '0' }))?.['projected'] === 11 ? true : undefined,
    );
  });

  it('catch up by themselves when the engine is back', async () => {
    let down = true;
    const environment = ledgerEnvironment();
    const [account] = await openAccounts(environment);
    const ledger = await start(
      environment,
      failing('movements', () => down),
    );
    await ledger.fund(account, 'EURe', '10');
    expect((await ledger.movements.listDeposits({}, account.user)).deposits).toEqual([]);
    down = false;
    await waitFor('the projection', async () =>
      (await ledger.movements.listDeposits({}, account.user)).deposits[0]?.status === APPROVED ? true : undefined,
    );
  });
});

describe('the audit', () => {
  const filled = async () => {
    const environment = ledgerEnvironment();
    const ledger = await start(environment);
    const account = await ledger.open();
    const deposit = await ledger.see(account, 'EURe', '10');
    await ledger.resolve(deposit.id);
    const withdrawal = await ledger.withdraw(account, 'EURe', '4');
    const collection = open(environment);
    await waitFor('the checkpoint', async () =>
      (await collection('checkpoints').findOne({ _id: '0' }))?.['projected'] === 6 ? true : undefined,
    );
    // A stop stores the pages.
    await ledger.close();
    expect(await ledger.verify()).toMatchObject({ ok: true, firstBadBlock: '', problem: '', blocks: 6n });
    return { ledger, account, deposit, withdrawal, collection, environment, page: `0:${pageOf(account.accountId, MIN_PAGE_BITS)}:0` };
  };
  type Filled = Awaited<ReturnType<typeof filled>>;
  const set = ({ collection }: Filled, name: string, id: string, fields: Record<string, unknown>) =>
    collection(name).updateOne({ _id: id }, { $set: fields });
  /** Changes what is written in a text. */
  const rewrite = async (it: Filled, name: string, id: string, field: string, from: string | RegExp, to: string) => {
    const text = String((await it.collection(name).findOne({ _id: id }))?.[field]);
    expect(text.replace(from, to)).not.toBe(text);
    await set(it, name, id, { [field]: text.replace(from, to) });
  };
  const inBlock = (it: Filled, n: number, from: string | RegExp, to: string) => rewrite(it, 'blocks', `0:${n}`, 'body', from, to);

  it.each<[string, string, (filled: Filled) => Promise<unknown>]>([
    ['a changed amount', '0:4', (it) => inBlock(it, 4, '"EURe","10"]', '"EURe","11"]')],
    ['an amount that is no number', '0:4', (it) => inBlock(it, 4, '"EURe","10"]', '"EURe","ten"]')],
    ['a changed fact', '0:5', (it) => inBlock(it, 5, '"kytResult","approve"', '"kytResult","fine"')],
    ['a changed account', '0:3', (it) => inBlock(it, 3, it.account.accountId, randomUUID())],
    ['a line too many', '0:3', (it) => inBlock(it, 3, /$/, '\n')],
    ['a changed time', '0:5', (it) => set(it, 'blocks', '0:5', { at: new Date(0) })],
    ['a changed epoch', '0:6', (it) => set(it, 'blocks', '0:6', { epoch: 9 })],
    ['a changed link', '0:5', (it) => set(it, 'blocks', '0:5', { prevHash: 'f'.repeat(64) })],
    ['a removed block', '0:5', (it) => it.collection('blocks').deleteOne({ _id: '0:5' })],
    ['a removed last block', '0:6', (it) => it.collection('blocks').deleteOne({ _id: '0:6' })],
    ['a removed entry', '0:5', (it) => it.collection('entries').deleteOne({ _id: `0:deposit/${it.deposit.id}/resolved` })],
    ['a changed entry', '0:5', (it) => rewrite(it, 'entries', `0:deposit/${it.deposit.id}/resolved`, 'line', '"10"', '"9"')],
    ['an invented entry', '0:6', (it) => it.collection('entries').insertOne({ _id: 'x', shard: '0', position: 200_001 })],
    ['a changed deposit state', '0:5', (it) => set(it, 'deposits', it.deposit.id, { status: 'rejected' })],
    ['a changed deposit amount', '0:4', (it) => set(it, 'deposits', it.deposit.id, { amount: '11' })],
    ['a withdrawal set forth by hand', '0:6', (it) => set(it, 'withdrawals', it.withdrawal.id, { status: 'completed', stage: 2, asOf: 1 })],
    ['a removed deposit', '0:4', (it) => it.collection('deposits').deleteOne({ _id: it.deposit.id })],
    ['an invented deposit', '0:6', (it) => it.collection('deposits').insertOne({ _id: randomUUID(), shard: '0', position: 100_001 })],
    ['a changed balance', '0:6', (it) => rewrite(it, 'balance_pages', it.page, 'text', '"6"', '"7"')],
    ['a changed status on a page', '0:6', (it) => rewrite(it, 'balance_pages', it.page, 'text', '"active"', '"blocked"')],
    ['a changed system balance', '0:6', (it) => rewrite(it, 'balance_pages', '0:system:0', 'text', '"-10"', '"-9"')],
    ['a page of a block to come', '0:9', (it) => set(it, 'balance_pages', it.page, { asOf: 9 })],
    ['a removed page', '0:2', (it) => it.collection('balance_pages').deleteOne({ _id: it.page })],
    ['a removed system page', '0:4', (it) => it.collection('balance_pages').deleteOne({ _id: '0:system:0' })],
    [
      'a page that is right, but older than the checkpoint',
      '0:3',
      (it) => {
        const text = JSON.stringify([[it.account.accountId, 'provisioning', [], []]]);
        const { _id, ...fields } = pageDocument('0', { page: it.page.split(':')[1] ?? '', slot: 0, asOf: 2, text });
        return set(it, 'balance_pages', it.page, fields);
      },
    ],
    ['a checkpoint with another hash', '0:6', (it) => set(it, 'checkpoints', '0', { 'paged.hash': 'f'.repeat(64) })],
  ])('names the block of %s', async (_name, block, tamper) => {
    const it = await filled();
    await tamper(it);
    const report = await it.ledger.verify();
    expect(report).toMatchObject({ ok: false, firstBadBlock: block });
    expect(report.problem).not.toBe('');
  });

  it('notices a journal that was rewritten with right hashes', async () => {
    const it = await filled();
    const connection = mongoose.createConnection(it.environment['MONGODB_URI'] ?? '', { dbName: it.environment['MONGODB_DATABASE'] ?? '' });
    releases.push(() => connection.close());
    await connection.asPromise();
    const store = createBlockStore(connection);
    const last = await store.find('0', 6);
    if (last === undefined) throw new Error('no block');
    const forged = { ...last, lines: last.lines.map((line) => line.replace(it.withdrawal.txHash, `0x${'cd'.repeat(32)}`)) };
    expect(forged.lines).not.toEqual(last.lines);
    await it.collection('blocks').deleteOne({ _id: '0:6' });
    await store.insert({ ...forged, hash: hashBlock(forged) });
    expect(await it.ledger.verify()).toMatchObject({ ok: false, firstBadBlock: '0:6' });
  });

  it('is what stops the start on a broken journal', async () => {
    const it = await filled();
    await it.ledger.close();
    await inBlock(it, 5, '"EURe","10"]', '"EURe","1000000"]');
    await it.collection('balance_pages').deleteMany({});
    await it.collection('checkpoints').deleteMany({});
    await expect(startLedger(it.environment)).rejects.toThrow('block 0:5');
  });

  it.each<[string, (filled: Filled) => Promise<unknown>]>([
    ['changed', (it) => inBlock(it, 6, '"EURe","4"]', '"EURe","3"]')],
    ['gone, as after a restore from a backup', (it) => it.collection('blocks').deleteOne({ _id: '0:6' })],
  ])('stops the start when the block that the checkpoint names is %s', async (_name, tamper) => {
    const it = await filled();
    await it.ledger.close();
    await tamper(it);
    await expect(startLedger(it.environment)).rejects.toThrow('block 0:6');
  });
});
