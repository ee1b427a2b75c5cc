import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CodedError } from '@florin/rpc/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, hashBlock } from './domain/block.ts';
import { encodeCursor } from './domain/page-cursor.ts';
import { positionOf } from './domain/position.ts';
import { openDatabase } from './testing/audit-database.ts';
import { runCommand } from './testing/run-command.ts';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

const environment = ledgerEnvironment();
const directory = mkdtempSync(join(tmpdir(), 'florin-archived-'));
type Account = Awaited<ReturnType<TestLedger['open']>>;

let ledger: TestLedger;
let account: Account;
/** Block that the journal begins after, and its time. */
let archived: { n: number; at: Date };
/** Before the archive; after it and before the later deposits. */
let early: Date;
let late: Date;
const balanceAt = (key: object, at: Date) =>
  ledger.balances.getBalanceAt({ ...key, at: timestampFromDate(at) }, ledger.operator).then(({ balances }) => balances);
const systemBalanceBefore: { token: string; balance: string }[] = [];

beforeAll(async () => {
  ledger = await startLedger(environment);
  account = await ledger.open();
  await ledger.fund(account, 'EURe', '10');
  early = new Date();
  await ledger.fund(account, 'EURe', '20');
  expect(await runCommand(environment, 'snapshot')).toMatchObject({ code: 0 });
  const database = await openDatabase(environment);
  const snapshot = await database.collection('snapshots').findOne({});
  archived = { n: Number(snapshot?.['n']), at: snapshot?.['at'] as Date };
  late = new Date();
  systemBalanceBefore.push(...(await balanceAt({ systemAccount: 'chain' }, late)).map(({ token, balance }) => ({ token, balance })));
  await ledger.fund(account, 'EURe', '40');
  // The balances are stored: archiving keeps what a start needs.
  await ledger.close();
  ledger = await startLedger(environment);
  expect(await runCommand(environment, 'archive', '--before', '1000000', join(directory, 'old.gz'))).toMatchObject({ code: 0 });
  expect(await database.collection('blocks').countDocuments({ n: { $lte: archived.n } })).toBe(0);
  await database.close();
}, 60_000);
afterAll(async () => {
  await ledger.close();
  rmSync(directory, { recursive: true });
});

/** The error of a call, with where the journal begins. */
const errorOf = (call: Promise<unknown>): Promise<CodedError> =>
  call.then(
    () => expect.fail('no error'),
    (error: CodedError) => error,
  );
const read = async (after: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { entries, caughtUp } of ledger.entries.watchEntries({ after }, ledger.operator)) {
    ids.push(...entries.map(({ id }) => id));
    if (caughtUp) break;
  }
  return ids;
};
const list = (request: object) => ledger.entries.listTransfers(request, ledger.operator);

describe('a journal whose old blocks are archived', () => {
  it.each([
    ['the beginning', () => ''],
    ['an archived block', () => encodeCursor(positionOf(archived.n, 0))],
  ])('is not streamed from %s, and tells where reading can begin', async (_name, after) => {
    const { code, metadata } = await errorOf(read(after()));
    expect(code).toBe('ENTRIES_ARCHIVED');
    expect(metadata['archivedUntil']).toBe(archived.at.toISOString());
    const ids = await read(String(metadata['firstPosition']));
    const { blocks, entries } = await ledger.verify();
    expect(blocks).toBeGreaterThan(0n);
    expect(ids).toHaveLength(Number(entries));
  });

  it('states balances of users as of any time', async () => {
    expect(await balanceAt({ accountId: account.accountId }, early)).toMatchObject([{ token: 'EURe', balance: '10' }]);
    expect(await balanceAt({ accountId: account.accountId }, late)).toMatchObject([{ token: 'EURe', balance: '30' }]);
  });

  it('states balances of system accounts as of times that it holds, and rejects others', async () => {
    expect(await balanceAt({ systemAccount: 'chain' }, late)).toMatchObject(systemBalanceBefore);
    expect(await balanceAt({ systemAccount: 'chain' }, archived.at)).toMatchObject(systemBalanceBefore);
    const before = new Date(archived.at.getTime() - 1);
    for (const at of [early, before]) expect(await codeOf(balanceAt({ systemAccount: 'chain' }, at))).toBe('ENTRIES_ARCHIVED');
  });

  it('lists all entries of users', async () => {
    expect((await list({ accountId: account.accountId })).entries.filter(({ transfers }) => transfers.length > 0).length).toBeGreaterThan(
      5,
    );
  });

  it('lists the entries of system accounts that it holds, then reports that the rest is archived', async () => {
    const first = await list({ systemAccount: 'chain' });
    expect(first.entries.length).toBeGreaterThan(0);
    expect(first.page?.nextCursor).not.toBe('');
    const rest = list({ systemAccount: 'chain', page: { cursor: first.page?.nextCursor ?? '' } });
    expect((await errorOf(rest)).metadata['archivedUntil']).toBe(archived.at.toISOString());
    expect(await codeOf(list({ systemAccount: 'chain', to: timestampFromDate(early) }))).toBe('ENTRIES_ARCHIVED');
    const held = await list({ systemAccount: 'chain', from: timestampFromDate(late) });
    expect(held.entries.map(({ id }) => id)).toEqual(first.entries.map(({ id }) => id));
    expect(held.page?.nextCursor).toBe('');
  });

  it('is found wrong when an entry has the id of an archived one', async () => {
    const of = async (request: object) => (await list({ accountId: account.accountId, ...request })).entries.map(({ id }) => id);
    const isApproval = (id: string) => id.endsWith('/resolved');
    const known = (await of({ to: timestampFromDate(early) })).find(isApproval) ?? expect.fail('no archived entry');
    const fresh = (await of({ from: timestampFromDate(late) })).find(isApproval) ?? expect.fail('no entry');
    const database = await openDatabase(environment);
    const blocks = database.collection<Block & { _id: string }>('blocks');
    let prevHash = '';
    for (const block of await blocks
      .find({ n: { $gt: archived.n } })
      .sort({ n: 1 })
      .toArray()) {
      const forged = { ...block, prevHash: prevHash || block.prevHash, body: block.body.replace(fresh, known) };
      prevHash = hashBlock(forged);
      await blocks.replaceOne({ _id: block._id }, { ...forged, hash: prevHash });
    }
    await database.close();
    expect(await ledger.verify()).toMatchObject({ ok: false, problem: `entry ${known}: its id is not unique` });
  });
});
