import { migrate } from '@florin/data/migrations';
import { openStore } from '@florin/data/store';
import { predictSafeAddress } from '@florin/evm/safe';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { successorIdOf } from './domain/account-replacement.ts';
import { SCHEMA } from './store/schema.ts';
import { authority, codeOf, ledgerEnvironment, OWNER, startLedger, type TestLedger } from './testing/world.ts';

const PLATFORM = '0x52908400098527886E0F7030069857D2E4169EE7';
const { PROVISIONING, ACTIVE, BLOCKED, CLOSED } = AccountStatus;
const SHARDS = 4;
const inShard = (accountId: string) => shardOf(accountId, SHARDS);
const NEXT = `0x${'4'.repeat(40)}`;

/** More than dust. */
const [SEVEN, NINE] = ['7', '9'].map((whole) => `${whole}${'0'.repeat(18)}`) as [string, string];

/** Writes of a replacement, each of which may be the last one of a process. */
const WRITES = ['nameSuccessor', 'claim', 'open'] as const;
const MORTAL = [...WRITES, 'saveStatuses'] as const;

describe('an account whose Safe has another history', { timeout: 120_000 }, () => {
  const env = ledgerEnvironment({
    ACCOUNTS_NEED_SAFE: 'true',
    SAFE_PLATFORM_OWNER: PLATFORM,
    JOURNAL_SHARDS: String(SHARDS),
    JOURNAL_PROJECTION_WAIT_MS: '10000',
  });
  let ledger: TestLedger;
  /** The write before or after which the process ends. */
  let kill: { write: (typeof MORTAL)[number]; after: boolean } | undefined;
  const dying =
    (write: (typeof MORTAL)[number], call: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      if (kill?.write === write && !kill.after) throw new Error('killed');
      const result = await call(...args);
      if (kill?.write === write) throw new Error('killed');
      return result;
    };
  const mortal = <S extends object>(store: S): S =>
    ({
      ...store,
      ...Object.fromEntries(MORTAL.flatMap((write) => (write in store ? [[write, dying(write, store[write as keyof S] as never)]] : []))),
    }) as S;

  beforeAll(async () => {
    ledger = await startLedger(env, { accounts: mortal, references: mortal });
  }, 120_000);
  afterAll(() => ledger.close());

  const find = async (accountId: string) =>
    (await ledger.accounts.getAccount({ key: { case: 'accountId', value: accountId } }, ledger.operator)).account;
  const replace = (accountId: string) => ledger.accounts.replaceAccount({ accountId }, ledger.operator);
  const revoke = (accountId: string, historyDiffers = true) => ledger.accounts.revokeSafe({ accountId, historyDiffers }, ledger.operator);
  const confirm = (accountId: string) => ledger.accounts.confirmSafe({ accountId }, ledger.operator);
  const approve = (accountId: string) => ledger.accounts.activateAccount({ accountId }, ledger.operator);
  const block = (accountId: string, left = false) => codeOf(ledger.accounts.blockAccount({ accountId, left }, ledger.operator));
  const unblock = (accountId: string) => codeOf(ledger.accounts.unblockAccount({ accountId }, ledger.operator));
  const revokeOwner = (accountId: string) =>
    ledger.accounts.revokeSafeOwner({ accountId, ownerAddress: OWNER, replacementAddress: NEXT }, ledger.operator);

  const active = async () => {
    const account = await ledger.open(false);
    await approve(account.accountId);
    await confirm(account.accountId);
    return account;
  };
  const stopped = async () => {
    const account = await active();
    await revoke(account.accountId);
    return account;
  };

  it('is replaced once by an account of the same user, in its shard, with a Safe of its own', async () => {
    const { accountId, userId, user } = await stopped();
    const answers = await Promise.all([1, 2, 3].map(() => replace(accountId)));
    for (const answer of [...answers, await replace(accountId)]) expect(answer.successor).toEqual(answers[0]?.successor);
    const [former, successor] = [await find(accountId), answers[0]?.successor];
    const id = successorIdOf(accountId, inShard);
    expect(inShard(id)).toBe(inShard(accountId));
    expect(former).toMatchObject({ id: accountId, status: BLOCKED, successorAccountId: id, formerAccountId: '', safeHistoryDiffers: true });
    expect(successor).toMatchObject({ id, userId, status: PROVISIONING, formerAccountId: accountId, successorAccountId: '' });
    expect(successor).toMatchObject({ safeOwnerAddress: OWNER, safeAddress: predictSafeAddress(id, [OWNER, PLATFORM]), approved: false });
    expect(successor?.kycProfileId).toBe(former?.kycProfileId);
    expect(successor?.reference).not.toBe(former?.reference);
    expect((await ledger.accounts.getCurrentAccount({}, user)).account?.id).toBe(id);
    // There is no proof of reserves yet.
    const owed = (one: string, caller: typeof user) => codeOf(ledger.journal.getCurrentLiability({ accountId: one }, caller));
    for (const one of ['', accountId, id]) expect(await owed(one, user)).toBe('no error');
    expect(await owed(accountId, (await active()).user)).toBe('ACCOUNT_NOT_FOUND');

    await approve(id);
    await confirm(id);
    expect((await find(id))?.status).toBe(ACTIVE);
    for (const call of [revoke, confirm]) await call(accountId);
    expect(await unblock(accountId)).toBe('ACCOUNT_STATE_CONFLICT');
    expect(await codeOf(approve(accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    expect((await find(accountId))?.status).toBe(BLOCKED);
    // The new Safe can get another history, too.
    await revoke(id);
    expect((await replace(id)).successor).toMatchObject({ userId, formerAccountId: id });
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('is replaced in provisioning, too, and is not activated afterwards', async () => {
    const { accountId } = await ledger.open(false);
    await revoke(accountId);
    const { account, successor } = await replace(accountId);
    expect([account?.status, successor?.status]).toEqual([PROVISIONING, PROVISIONING]);
    expect(await codeOf(approve(accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    await confirm(accountId);
    expect((await find(accountId))?.status).toBe(PROVISIONING);
  });

  it('is never confirmed again, and stays blocked', async () => {
    const { accountId } = await stopped();
    await confirm(accountId);
    expect(await unblock(accountId)).toBe('SAFE_NOT_VERIFIED');
    // A revocation that says nothing of the history does not undo what is known of it.
    await revoke(accountId, false);
    await confirm(accountId);
    expect(await find(accountId)).toMatchObject({ status: BLOCKED, safeHistoryDiffers: true });
  });

  it('is not replaced while it is active or closed, its Safe could be confirmed, its owner is revoked, or it has holds or debt', async () => {
    const nobody = '01890a5d-ac96-774b-bcce-b302099a8003';
    expect(await codeOf(replace(nobody))).toBe('ACCOUNT_NOT_FOUND');
    const person = ledger.as(await authority.serviceToken('ada', 'ledger', Object.values(LEDGER_SCOPES)));
    const { accountId } = await active();
    expect(await codeOf(ledger.accounts.replaceAccount({ accountId }, person))).toBe('FORBIDDEN');
    expect(await codeOf(replace(accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    await revoke(accountId, false);
    expect(await codeOf(replace(accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    await revoke(accountId);
    await revokeOwner(accountId);
    expect(await codeOf(replace(accountId))).toBe('SAFE_OWNER_REVOKED');
    await ledger.accounts.closeAccount({ accountId }, ledger.operator);
    expect(await codeOf(replace(accountId))).toBe('ACCOUNT_STATE_CONFLICT');

    const book = (id: string, credit: string, more: object) => {
      const entry = { entryId: crypto.randomUUID() as string, transfers: [{ debit: id, credit, token: 'EURe', amount: '5' }], ...more };
      return ledger.entries.createEntries({ entries: [entry] }, ledger.operator).then(() => entry.entryId);
    };
    const spender = await active();
    await ledger.fund(spender, 'EURe', '5');
    const expires = { holdExpiresAt: { seconds: BigInt(Math.floor(Date.now() / 1000) + 3600), nanos: 0 } };
    const holdId = await book(spender.accountId, 'settlement', expires);
    await revoke(spender.accountId);
    expect(await codeOf(replace(spender.accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    await ledger.holds.voidHold({ holdId, accountId: spender.accountId }, ledger.operator);
    await book(spender.accountId, 'settlement', { forced: true });
    await book(spender.accountId, 'settlement', { forced: true });
    expect(await codeOf(replace(spender.accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    await ledger.fund(spender, 'EURe', '5');
    // Spent money is still in the Safe, with which the owner could leave.
    await ledger.fund(spender, 'EURe', '5');
    await book(spender.accountId, `${spender.accountId}/settling`, { forced: true });
    expect(await codeOf(replace(spender.accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    await book(`${spender.accountId}/settling`, 'chain', {});
    expect(await codeOf(replace(spender.accountId))).toBe('no error');
  });

  it('is not replaced before what somebody has decided about it is taken back, which its Safe does not prevent', async () => {
    const { accountId } = await active();
    expect(await block(accountId)).toBe('no error');
    await revoke(accountId);
    // It has left, too.
    expect(await block(accountId, true)).toBe('no error');
    expect(await codeOf(replace(accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    await expect(ledger.accounts.unblockAccount({ accountId }, ledger.operator)).rejects.toMatchObject({
      code: 'SAFE_NOT_VERIFIED',
      message: expect.stringContaining('the decision to block the account is withdrawn'),
    });
    expect(await codeOf(replace(accountId))).toBe('no error');

    // The decision is told before what unblocking would meet next, so that nobody reads that it is gone.
    const lost = await active();
    await block(lost.accountId);
    await revoke(lost.accountId);
    await revokeOwner(lost.accountId);
    expect(await codeOf(replace(lost.accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    expect(await unblock(lost.accountId)).not.toBe('no error');
    expect(await codeOf(replace(lost.accountId))).toBe('SAFE_OWNER_REVOKED');

    const left = await active();
    await block(left.accountId, true);
    await revoke(left.accountId);
    expect(await codeOf(replace(left.accountId))).toBe('no error');

    // In provisioning nothing is blocked, and the successor needs an approval of its own.
    const opened = await ledger.open(false);
    expect(await block(opened.accountId)).toBe('ACCOUNT_STATE_CONFLICT');
    await revoke(opened.accountId);
    expect(await codeOf(replace(opened.accountId))).toBe('no error');
  });

  it('is replaced only before somebody has decided to block it', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, stopped));
    for (const [index, { accountId }] of accounts.entries()) {
      const both = [() => codeOf(replace(accountId)), () => block(accountId)];
      const results = await Promise.all((index % 2 === 0 ? both : both.toReversed()).map((call) => call()));
      const [outcome, blocked] = index % 2 === 0 ? results : results.toReversed();
      expect(['no error', 'ACCOUNT_NOT_REPLACEABLE']).toContain(outcome);
      expect((await find(accountId))?.successorAccountId === '').toBe(outcome === 'ACCOUNT_NOT_REPLACEABLE');
      // Whoever blocks it learns that the successor is not.
      expect(blocked).toBe(outcome === 'no error' ? 'ACCOUNT_STATE_CONFLICT' : 'no error');
    }
  });

  it('is not replaced once somebody has decided to block it, also if the call has failed', async () => {
    const { accountId } = await active();
    kill = { write: 'saveStatuses', after: false };
    expect(await block(accountId)).toBe('SERVICE_UNAVAILABLE');
    kill = undefined;
    await revoke(accountId);
    expect(await codeOf(replace(accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
  });

  it('is not replaced if it was blocked before the update, until that is taken back', async () => {
    const { accountId } = await stopped();
    const other = await active();
    const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = env;
    const store = await openStore({ uri, database, poolSize: 2, logger: quietLogger });
    const run = () => migrate({ connection: store.connection, schema: SCHEMA, report: () => undefined });
    try {
      await store.connection.collection<{ _id: string }>('database_records').updateOne({ _id: 'schema' }, { $set: { version: 1 } });
      expect(await run()).toBe(SCHEMA.version);
    } finally {
      await store.close();
    }
    expect(await codeOf(replace(accountId))).toBe('ACCOUNT_NOT_REPLACEABLE');
    await unblock(accountId);
    expect(await codeOf(replace(accountId))).toBe('no error');
    await revoke(other.accountId);
    expect(await codeOf(replace(other.accountId))).toBe('no error');
  });

  it('is replaced only before its owner is revoked, and is never active', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, stopped));
    const outcomes = await Promise.all(
      accounts.map(async ({ accountId }, index) => {
        const both = [() => codeOf(replace(accountId)), () => codeOf(revokeOwner(accountId)), () => unblock(accountId)];
        const results = await Promise.all((index % 2 === 0 ? both : both.toReversed()).map((call) => call()));
        return index % 2 === 0 ? results[0] : results[2];
      }),
    );
    for (const [index, { accountId }] of accounts.entries()) {
      const account = await find(accountId);
      expect(account).toMatchObject({ status: BLOCKED, safeOwnerRevoked: true });
      expect(['no error', 'SAFE_OWNER_REVOKED']).toContain(outcomes[index]);
      expect(account?.successorAccountId === '').toBe(outcomes[index] === 'SAFE_OWNER_REVOKED');
    }
  });

  it('is replaced by a repeat, whichever write a process ended at', async () => {
    for (const write of WRITES) {
      for (const after of [false, true]) {
        const { accountId, userId } = await stopped();
        kill = { write, after };
        expect([write, after, await codeOf(replace(accountId))]).not.toEqual([write, after, 'no error']);
        kill = undefined;
        const isDecided = write !== 'nameSuccessor' || after;
        expect((await find(accountId))?.successorAccountId !== '').toBe(isDecided);
        expect((await replace(accountId)).successor).toMatchObject({ userId, formerAccountId: accountId });
      }
    }
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('gives what it has to the confirmed Safe of its last successor, and nothing that it has not', async () => {
    const former = await active();
    const { accountId } = former;
    await ledger.fund(former, 'EURe', SEVEN);
    await revoke(accountId);
    const withdraw = (toAddress: string, more: object = {}) => {
      const request = {
        withdrawalId: crypto.randomUUID() as string,
        accountId,
        token: 'EURe',
        amount: SEVEN,
        toAddress,
        toSuccessor: true,
        ...more,
      };
      return ledger.movements.createWithdrawal(request, ledger.operator);
    };
    expect(await codeOf(withdraw(NEXT))).toBe('SAFE_NOT_VERIFIED');
    const second = (await replace(accountId)).successor;
    await revoke(second?.id ?? '');
    const newest = (await replace(second?.id ?? '')).successor;
    const to = newest?.safeAddress ?? '';
    expect(await codeOf(withdraw(to))).toBe('SAFE_NOT_VERIFIED');
    await confirm(newest?.id ?? '');
    for (const other of [NEXT, '', second?.safeAddress ?? '']) expect(await codeOf(withdraw(other))).toBe('SAFE_NOT_VERIFIED');
    expect(await codeOf(withdraw(to, { forced: true }))).toBe('VALIDATION_FAILED');
    expect(await codeOf(withdraw(to, { toSuccessor: false }))).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await codeOf(withdraw(to, { amount: NINE }))).toBe('INSUFFICIENT_FUNDS');
    const withdrawalId = crypto.randomUUID() as string;
    const once = await withdraw(to, { withdrawalId });
    expect(await withdraw(to, { withdrawalId })).toEqual(once);
    expect(await codeOf(withdraw(to, { withdrawalId, toSuccessor: false }))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await codeOf(withdraw(to))).toBe('INSUFFICIENT_FUNDS');
    for (const status of [WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED])
      await ledger.movements.updateWithdrawal({ withdrawalId, status }, ledger.operator);
    await revokeOwner(newest?.id ?? '');
    expect(await codeOf(withdraw(to, { amount: '1' }))).toBe('SAFE_NOT_VERIFIED');
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('has its movements in the lists and the export of its user, and is closed with the other one when the user is erased', async () => {
    const former = await active();
    const { accountId, userId, user } = former;
    await ledger.fund(former, 'EURe', SEVEN);
    await revoke(accountId);
    const id = (await replace(accountId)).successor?.id ?? '';
    await ledger.fund({ accountId: id as typeof accountId }, 'EURe', NINE);
    const { deposits } = await ledger.movements.listDeposits({}, user);
    expect(deposits.map((one) => [one.accountId, one.amount])).toEqual([
      [id, NINE],
      [accountId, SEVEN],
    ]);
    const kinds: string[] = [];
    let cursor: string | undefined;
    for (; cursor !== ''; ) {
      const page = await ledger.personalData.exportPersonalData({ userId, cursor: cursor ?? '' }, ledger.operator);
      kinds.push(...page.records.map(({ kind }) => kind));
      cursor = page.nextCursor;
    }
    expect(kinds).toEqual(['account', 'account', 'deposit', 'deposit']);
    const erase = () => codeOf(ledger.personalData.erasePersonalData({ userId }, ledger.operator));
    expect(await erase()).toBe('USER_HAS_BALANCE');
    expect([(await find(accountId))?.status, (await find(id))?.status]).toEqual([BLOCKED, PROVISIONING]);
    const empty = async (from: string, amount: string) => {
      const transfers = [{ debit: from, credit: 'settlement', token: 'EURe', amount }];
      await ledger.entries.createEntries({ entries: [{ entryId: crypto.randomUUID(), transfers, forced: true }] }, ledger.operator);
    };
    await empty(accountId, SEVEN);
    await empty(id, NINE);
    for (let times = 0; times < 2; times += 1) expect(await erase()).toBe('no error');
    expect([(await find(accountId))?.status, (await find(id))?.status]).toEqual([CLOSED, CLOSED]);
  });
});
