import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { predictSafeAddress } from '@florin/evm/safe';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, resultName, startLedger, type TestLedger } from './testing/world.ts';

const ACCOUNTS = 20;

const PLATFORM = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('an account that needs a Safe', { timeout: 120_000 }, () => {
  let ledger: TestLedger;
  beforeAll(async () => {
    const needing = { ACCOUNTS_NEED_SAFE: 'true', JOURNAL_PROJECTION_WAIT_MS: '10000' };
    await expect(startLedger(ledgerEnvironment(needing))).rejects.toThrow('SAFE_PLATFORM_OWNER: must be set');
    ledger = await startLedger(ledgerEnvironment({ ...needing, SAFE_PLATFORM_OWNER: PLATFORM }));
  }, 120_000);
  afterAll(() => ledger.close());

  const open = async (): Promise<string> => (await ledger.open(false)).accountId;
  const approve = async (accountId: string) => (await ledger.accounts.activateAccount({ accountId }, ledger.operator)).account;
  const confirm = async (accountId: string) => (await ledger.accounts.confirmSafe({ accountId }, ledger.operator)).account;
  const block = (accountId: string) => codeOf(ledger.accounts.blockAccount({ accountId }, ledger.operator));
  const revoke = async (accountId: string) => (await ledger.accounts.revokeSafe({ accountId }, ledger.operator)).account;
  const unblock = (accountId: string) => codeOf(ledger.accounts.unblockAccount({ accountId }, ledger.operator));
  const find = async (accountId: string) =>
    (await ledger.accounts.getAccount({ key: { case: 'accountId', value: accountId } }, ledger.operator)).account;

  it('has a Safe that belongs to the user and the platform together, from birth', async () => {
    const account = (await find(await open())) ?? expect.fail('it was opened');
    const owner = getAddress(account.safeOwnerAddress);
    expect(account.safeAddress).toBe(predictSafeAddress(account.id, [owner, PLATFORM]));
  });

  it('holds no more than its Safe allows to be collected, what is settling included', async () => {
    const { accountId } = await ledger.open(false);
    const collectionLimits = [{ token: 'EURe', amount: '100' }];
    await ledger.accounts.confirmSafe({ accountId, collectionLimits }, ledger.operator);
    await approve(accountId);
    await ledger.fund({ accountId }, 'EURe', '1000');
    await ledger.fund({ accountId }, 'GBPe', '1000');
    const hold = async (amount: string, more: object = {}) => {
      const entryId = randomUUID();
      const transfers = [{ debit: accountId, credit: `${accountId}/settling`, token: 'EURe', amount }];
      const entry = { entryId, transfers, holdExpiresAt: timestampFromDate(new Date(Date.now() + 600_000)), ...more };
      const { results } = await ledger.entries.createEntries({ entries: [entry] }, ledger.operator);
      return { holdId: entryId, code: resultName(results[0]?.code) };
    };
    const first = await hold('60');
    expect([first.code, (await hold('41')).code]).toEqual(['CREATED', 'COLLECTION_LIMIT_REACHED']);
    expect((await hold('41', { transfers: [{ debit: accountId, credit: 'settlement', token: 'GBPe', amount: '999' }] })).code).toBe(
      'CREATED',
    );
    await ledger.holds.postHold({ accountId, holdId: first.holdId }, ledger.operator);
    const [second, last] = await Promise.all([hold('40'), hold('40')]);
    expect([second.code, last.code].sort()).toEqual(['COLLECTION_LIMIT_REACHED', 'CREATED']);
    const { holdId } = second.code === 'CREATED' ? second : last;
    const increase = (amount: string) =>
      codeOf(ledger.holds.increaseHold({ accountId, holdId, changeId: randomUUID(), amount }, ledger.operator));
    expect(await increase('1')).toBe('COLLECTION_LIMIT_REACHED');
    // A forced hold has happened outside, and is booked.
    expect((await hold('500', { forced: true })).code).toBe('CREATED');
    // Collected from the Safe.
    const collected = [{ debit: `${accountId}/settling`, credit: 'chain', token: 'EURe', amount: '60' }];
    await ledger.entries.createEntries({ entries: [{ entryId: randomUUID(), transfers: collected }] }, ledger.operator);
    expect((await hold('1')).code).toBe('COLLECTION_LIMIT_REACHED');
    await ledger.holds.voidHold({ accountId, holdId }, ledger.operator);
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  it.each([
    ['approved first', approve, confirm],
    ['confirmed first', confirm, approve],
  ])('becomes active with both, %s', async (_name, first, second) => {
    const accountId = await open();
    expect((await first(accountId))?.status).toBe(AccountStatus.PROVISIONING);
    expect((await first(accountId))?.status).toBe(AccountStatus.PROVISIONING);
    expect((await second(accountId))?.status).toBe(AccountStatus.ACTIVE);
    expect((await second(accountId))?.status).toBe(AccountStatus.ACTIVE);
  });

  it('shows whether it is approved, which a confirmed Safe alone is not', async () => {
    const accountId = await open();
    expect(await confirm(accountId)).toMatchObject({ approved: false });
    expect(await approve(accountId)).toMatchObject({ approved: true, status: AccountStatus.ACTIVE });
  });

  it('stays as it is when it was to be blocked before its Safe is confirmed', async () => {
    const accountId = await open();
    await approve(accountId);
    expect(await block(accountId)).toBe('ACCOUNT_STATE_CONFLICT');
    expect(await confirm(accountId)).toMatchObject({ status: AccountStatus.PROVISIONING, approved: false });
  });

  it('is never active after a confirmation and a block that raced', async () => {
    const ids = await Promise.all(Array.from({ length: ACCOUNTS }, open));
    await Promise.all(ids.map(approve));
    await Promise.all(
      ids.flatMap((accountId, index) =>
        index % 2 === 0 ? [confirm(accountId), block(accountId)] : [block(accountId), confirm(accountId)],
      ),
    );
    for (const accountId of ids) expect((await find(accountId))?.status).not.toBe(AccountStatus.ACTIVE);
  });

  it('is blocked when its Safe is revoked, and not unblocked before the Safe is confirmed again', async () => {
    const accountId = await open();
    await approve(accountId);
    await confirm(accountId);
    for (let times = 0; times < 2; times += 1) expect((await revoke(accountId))?.status).toBe(AccountStatus.BLOCKED);
    expect(await unblock(accountId)).toBe('SAFE_NOT_VERIFIED');
    expect((await find(accountId))?.status).toBe(AccountStatus.BLOCKED);
    expect((await confirm(accountId))?.status).toBe(AccountStatus.BLOCKED);
    expect(await unblock(accountId)).toBe('no error');
    expect((await find(accountId))?.status).toBe(AccountStatus.ACTIVE);
  });

  it('is not activated by its approval once its Safe was revoked', async () => {
    const accountId = await open();
    await confirm(accountId);
    expect((await revoke(accountId))?.status).toBe(AccountStatus.PROVISIONING);
    expect((await approve(accountId))?.status).toBe(AccountStatus.PROVISIONING);
    expect((await confirm(accountId))?.status).toBe(AccountStatus.ACTIVE);
  });

  it('is never active after its Safe was revoked and the account unblocked at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: ACCOUNTS }, open));
    await Promise.all(ids.map(approve));
    await Promise.all(ids.map(confirm));
    await Promise.all(ids.map(block));
    await Promise.all(
      ids.flatMap((accountId, index) =>
        index % 2 === 0 ? [unblock(accountId), revoke(accountId)] : [revoke(accountId), unblock(accountId)],
      ),
    );
    for (const accountId of ids) expect((await find(accountId))?.status).not.toBe(AccountStatus.ACTIVE);
  });

  describe('whose owner was revoked', () => {
    const revokeOwner = async (accountId: string, of?: string, replacementAddress = '') => {
      const ownerAddress = of ?? (await find(accountId))?.safeOwnerAddress ?? '';
      return (await ledger.accounts.revokeSafeOwner({ accountId, ownerAddress, replacementAddress }, ledger.operator)).account;
    };
    const active = async (): Promise<string> => {
      const accountId = await open();
      await approve(accountId);
      await confirm(accountId);
      return accountId;
    };

    it('is blocked, and neither a confirmed Safe nor an operator unblocks it', async () => {
      const accountId = await active();
      for (let times = 0; times < 2; times += 1)
        expect(await revokeOwner(accountId)).toMatchObject({ status: AccountStatus.BLOCKED, safeOwnerRevoked: true });
      expect((await confirm(accountId))?.status).toBe(AccountStatus.BLOCKED);
      expect(await unblock(accountId)).toBe('SAFE_OWNER_REVOKED');
      expect((await find(accountId))?.status).toBe(AccountStatus.BLOCKED);
    });

    it('names the wallet that takes its place, and the one after it, whatever is repeated', async () => {
      const accountId = await active();
      const [owner, first, second] = [(await find(accountId))?.safeOwnerAddress, `0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`];
      const replacedBy = async (lost: string | undefined, replacement?: string) =>
        (await revokeOwner(accountId, lost, replacement))?.safeReplacementAddress;
      expect(await replacedBy(owner)).toBe('');
      expect(await replacedBy(owner, first)).toBe(first);
      expect(await replacedBy(second, second)).toBe(first);
      expect(await replacedBy(first, second)).toBe(second);
      for (const [lost, replacement] of [
        [owner, first],
        [first, second],
        [owner, undefined],
      ] as const)
        expect(await replacedBy(lost, replacement)).toBe(second);
      const nobody = { accountId, ownerAddress: owner ?? '', replacementAddress: 'nobody' };
      expect(await codeOf(ledger.accounts.revokeSafeOwner(nobody, ledger.operator))).toBe('VALIDATION_FAILED');
    });

    it('is not revoked any more once the owner was put back, whatever is repeated, and is revoked by a later replacement', async () => {
      const [wrong, last] = [`0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`];
      const accountId = await active();
      const owner = (await find(accountId))?.safeOwnerAddress ?? '';
      const tell = async (ownerAddress: string, replacementAddress: string, replacementId: string) =>
        (await ledger.accounts.revokeSafeOwner({ accountId, ownerAddress, replacementAddress, replacementId }, ledger.operator)).account;
      const [away, back, again] = [randomUUID(), randomUUID(), randomUUID()];
      expect(await tell(owner, wrong, away)).toMatchObject({ status: AccountStatus.BLOCKED, safeOwnerRevoked: true });
      const isBack = { status: AccountStatus.BLOCKED, safeOwnerAddress: owner, safeOwnerRevoked: false };
      for (let times = 0; times < 2; times += 1) expect(await tell(wrong, owner, back)).toMatchObject(isBack);
      expect(await tell(owner, wrong, away)).toMatchObject(isBack);
      expect(await unblock(accountId)).toBe('no error');
      for (const repeat of [() => tell(owner, wrong, away), () => tell(wrong, owner, back)])
        expect(await repeat()).toMatchObject({ ...isBack, status: AccountStatus.ACTIVE });
      const revoked = { status: AccountStatus.BLOCKED, safeOwnerRevoked: true, safeReplacementAddress: last };
      expect(await tell(owner, last, again)).toMatchObject(revoked);
      for (const repeat of [() => tell(owner, wrong, away), () => tell(wrong, owner, back)]) expect(await repeat()).toMatchObject(revoked);
    });

    it('is put back also if an earlier release revoked it, which named no replacement', async () => {
      const accountId = await active();
      const owner = (await find(accountId))?.safeOwnerAddress ?? '';
      const [wrong, last] = [`0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`];
      await revokeOwner(accountId);
      expect(await revokeOwner(accountId, wrong, last)).toMatchObject({ safeOwnerRevoked: true });
      const isBack = { safeOwnerAddress: owner, safeOwnerRevoked: false, safeReplacementAddress: owner };
      for (let times = 0; times < 2; times += 1) expect(await revokeOwner(accountId, wrong, owner)).toMatchObject(isBack);
      expect(await unblock(accountId)).toBe('no error');
      const revoked = { status: AccountStatus.BLOCKED, safeOwnerRevoked: true, safeReplacementAddress: last };
      expect(await revokeOwner(accountId, owner, last)).toMatchObject(revoked);
      expect(await revokeOwner(accountId, wrong, owner)).toMatchObject(revoked);
    });

    it('is neither revoked nor exchanged by a person alone', async () => {
      const accountId = await active();
      const ownerAddress = (await find(accountId))?.safeOwnerAddress ?? '';
      const person = ledger.as(await ledger.authority.serviceToken('ada', 'ledger', Object.values(LEDGER_SCOPES)));
      const replacementAddress = `0x${'4'.repeat(40)}`;
      expect(await codeOf(ledger.accounts.revokeSafeOwner({ accountId, ownerAddress, replacementAddress }, person))).toBe('FORBIDDEN');
      const exchanged = { accountId, formerOwnerAddress: ownerAddress, ownerAddress: replacementAddress };
      expect(await codeOf(ledger.accounts.exchangeSafeOwner(exchanged, person))).toBe('FORBIDDEN');
      expect(await find(accountId)).toMatchObject({
        status: AccountStatus.ACTIVE,
        safeOwnerAddress: ownerAddress,
        safeOwnerRevoked: false,
      });
    });

    it('stays as it is if its Safe belongs to another wallet', async () => {
      const accountId = await active();
      expect(await revokeOwner(accountId, `0x${'1'.repeat(40)}`)).toMatchObject({ status: AccountStatus.ACTIVE, safeOwnerRevoked: false });
      const ownerAddress = 'nobody';
      expect(await codeOf(ledger.accounts.revokeSafeOwner({ accountId, ownerAddress }, ledger.operator))).toBe('VALIDATION_FAILED');
    });

    it.each([
      ['approved', approve, confirm],
      ['confirmed', confirm, approve],
    ])('is not activated if it was only %s before', async (_name, first, second) => {
      const accountId = await open();
      await first(accountId);
      expect(await revokeOwner(accountId)).toMatchObject({ status: AccountStatus.PROVISIONING, safeOwnerRevoked: true });
      await codeOf(second(accountId));
      expect((await find(accountId))?.status).toBe(AccountStatus.PROVISIONING);
      expect(await codeOf(approve(accountId))).toBe('ACCOUNT_STATE_CONFLICT');
    });

    describe('and exchanged', () => {
      const [next, other]: [string, string] = [`0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`];
      const exchange = async (accountId: string, formerOwnerAddress: string, ownerAddress: string) =>
        (await ledger.accounts.exchangeSafeOwner({ accountId, formerOwnerAddress, ownerAddress }, ledger.operator)).account;

      it('goes on with the owner of today once a person has unblocked it, and keeps the first one', async () => {
        const accountId = await active();
        const first = (await find(accountId))?.safeOwnerAddress ?? '';
        await revokeOwner(accountId, first, next);
        const exchanged = { safeOwnerAddress: next, safeFirstOwnerAddress: first, safeOwnerRevoked: false, safeReplacementAddress: '' };
        for (let times = 0; times < 2; times += 1)
          expect(await exchange(accountId, first, next)).toMatchObject({ ...exchanged, status: AccountStatus.BLOCKED });
        expect(await unblock(accountId)).toBe('no error');
        expect((await find(accountId))?.status).toBe(AccountStatus.ACTIVE);
        // The lost wallet is not the owner any more: neither a repeat of its revocation nor of the exchange concerns the account.
        expect(await revokeOwner(accountId, first)).toMatchObject({ ...exchanged, status: AccountStatus.ACTIVE });
        expect(await exchange(accountId, first, other)).toMatchObject(exchanged);
        expect(await revokeOwner(accountId, next)).toMatchObject({ status: AccountStatus.BLOCKED, safeOwnerRevoked: true });
        expect(await ledger.verify()).toMatchObject({ ok: true });
      });

      it('stays revoked if the new owner was lost meanwhile, whichever comes first', async () => {
        const ids = await Promise.all(Array.from({ length: 20 }, active));
        await Promise.all(
          ids.flatMap(async (accountId, index) => {
            const first = (await find(accountId))?.safeOwnerAddress ?? '';
            await revokeOwner(accountId);
            const both = [() => exchange(accountId, first, next), () => revokeOwner(accountId, next)];
            await Promise.all((index % 2 === 0 ? both : both.reverse()).map((call) => call()));
          }),
        );
        for (const accountId of ids)
          expect(await find(accountId)).toMatchObject({ safeOwnerAddress: next, safeOwnerRevoked: true, status: AccountStatus.BLOCKED });
      });

      it('is revoked if the exchange that was asked for comes after its owner was put back, whichever is told first', async () => {
        const ids = await Promise.all(Array.from({ length: 20 }, active));
        await Promise.all(
          ids.map(async (accountId, index) => {
            const first = (await find(accountId))?.safeOwnerAddress ?? '';
            await revokeOwner(accountId, first, next);
            const both = [() => exchange(accountId, first, next), () => revokeOwner(accountId, next, first)];
            await Promise.all((index % 2 === 0 ? both : both.reverse()).map((call) => call()));
          }),
        );
        const lost = { safeOwnerAddress: next, safeOwnerRevoked: true, status: AccountStatus.BLOCKED };
        for (const accountId of ids) expect(await find(accountId)).toMatchObject(lost);
        // The account was unblocked meanwhile.
        const accountId = await active();
        const first = (await find(accountId))?.safeOwnerAddress ?? '';
        await revokeOwner(accountId, first, next);
        await revokeOwner(accountId, next, first);
        expect(await unblock(accountId)).toBe('no error');
        for (let times = 0; times < 2; times += 1) expect(await exchange(accountId, first, next)).toMatchObject(lost);
        // The first owner does not come back to the Safe: two people name another wallet in its place.
        expect(await revokeOwner(accountId, first, other)).toMatchObject({ ...lost, safeReplacementAddress: other });
        expect(await exchange(accountId, next, other)).toMatchObject({ safeOwnerAddress: other, safeOwnerRevoked: false });
        expect(await ledger.verify()).toMatchObject({ ok: true });
      });

      it('is not exchanged by what is no address', async () => {
        const accountId = await active();
        expect(await codeOf(exchange(accountId, 'nobody', next))).toBe('VALIDATION_FAILED');
        expect(await codeOf(exchange(accountId, next, 'nobody'))).toBe('VALIDATION_FAILED');
      });

      it('is not exchanged for itself, and stays active', async () => {
        const accountId = await active();
        const owner = (await find(accountId))?.safeOwnerAddress ?? '';
        for (const same of [owner, owner.toLowerCase()]) expect(await codeOf(exchange(accountId, owner, same))).toBe('VALIDATION_FAILED');
        expect(await find(accountId)).toMatchObject({ status: AccountStatus.ACTIVE, safeOwnerRevoked: false });
      });
    });

    it('is never active, whatever races with it', async () => {
      const calls = [unblock, approve, confirm];
      const ids = await Promise.all(Array.from({ length: 30 }, open));
      await Promise.all(ids.map((accountId, index) => (index % 3 === 1 ? confirm(accountId) : approve(accountId))));
      const blocked = ids.filter((_id, index) => index % 3 === 0);
      await Promise.all(blocked.map(confirm));
      await Promise.all(blocked.map(block));
      await Promise.all(
        ids.flatMap((accountId, index) => {
          const other = () => codeOf((calls[index % 3] as (id: string) => Promise<unknown>)(accountId));
          return index % 2 === 0 ? [other(), revokeOwner(accountId)] : [revokeOwner(accountId), other()];
        }),
      );
      for (const accountId of ids) expect((await find(accountId))?.status).not.toBe(AccountStatus.ACTIVE);
    });
  });

  it('is not found when it was never opened', async () => {
    const accountId = '01890a5d-ac96-774b-bcce-b302099a8002';
    expect(await codeOf(ledger.accounts.confirmSafe({ accountId }, ledger.operator))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.accounts.revokeSafe({ accountId }, ledger.operator))).toBe('ACCOUNT_NOT_FOUND');
  });
});
