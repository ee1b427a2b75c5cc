import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import { HoldStatus } from '@florin/proto/ledger/v1/hold';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock, waitFor } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, type TestLedger } from './testing/world.ts';

const clock = fakeClock();
const ledger = serveLedger(ledgerEnvironment(), { runtime: { ...systemRuntime, now: clock.now } });

type Account = Awaited<ReturnType<TestLedger['open']>>;
type Part = [credit: string, amount: string, token?: string];

const inSeconds = (seconds: number) => timestampFromDate(new Date(clock.now().getTime() + seconds * 1000));
const legs = ({ accountId }: Account, parts: readonly Part[]) =>
  parts.map(([credit, amount, token = 'EURe']) => ({ debit: accountId, credit, token, amount }));

const withHold = async (parts: readonly Part[] = [['settlement', '40']], seconds = 60) => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', '100');
  const holdId = randomUUID() as string;
  const entry = { entryId: holdId, transfers: legs(account, parts), holdExpiresAt: inSeconds(seconds) };
  await ledger.entries.createEntries({ entries: [entry] }, ledger.operator);
  return { account, name: { accountId: account.accountId, holdId } };
};
const row = async (account: Account) => {
  const found = (await ledger.tokenBalances(account))['EURe'];
  return [found?.spendable, found?.nonSpendable, found?.settling, found?.debt];
};
const held = async (name: { accountId: string; holdId: string }) => {
  const { hold } = await ledger.holds.getHold(name, ledger.operator);
  return { status: hold?.status, parts: hold?.parts.map(({ credit, amount }) => [credit, amount]) };
};

describe('an open hold', () => {
  it('is increased and extended, once per change id', async () => {
    const { account, name } = await withHold();
    const change = { ...name, changeId: randomUUID() as string, amount: '10', expiresAt: inSeconds(120) };
    const { entry } = await ledger.holds.increaseHold(change, ledger.operator);
    expect(entry).toMatchObject({ kind: EntryKind.HOLD_INCREASED, holdId: name.holdId });
    expect((await ledger.holds.increaseHold(change, ledger.operator)).entry).toEqual(entry);
    expect(await row(account)).toEqual(['50', '50', '0', '0']);
    expect(await codeOf(ledger.holds.increaseHold({ ...change, amount: '11' }, ledger.operator))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await codeOf(ledger.holds.decreaseHold({ ...name, changeId: change.changeId, amount: '10' }, ledger.operator))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    clock.advanceSeconds(61);
    await ledger.holds.postHold({ ...name, amount: '50' }, ledger.operator);
    expect(await row(account)).toEqual(['50', '0', '0', '0']);
  });

  it('stays as it is when an increase is not covered, or its new expiry is not valid', async () => {
    const { account, name } = await withHold();
    const increase = (more: object) =>
      codeOf(ledger.holds.increaseHold({ ...name, changeId: randomUUID(), amount: '1', ...more }, ledger.operator));
    expect(await increase({ amount: '61' })).toBe('INSUFFICIENT_FUNDS');
    expect(await increase({ expiresAt: inSeconds(59) })).toBe('HOLD_EXPIRY_INVALID');
    expect(await increase({ amount: '' })).toBe('VALIDATION_FAILED');
    expect(await increase({ amount: '0' })).toBe('AMOUNT_INVALID');
    expect(await increase({ changeId: 'x' })).toBe('VALIDATION_FAILED');
    expect(await increase({ amount: '', transfers: legs(account, [['fees', '1', 'GBPe']]) })).toBe('TOKEN_MISMATCH');
    expect(await increase({ amount: '', transfers: legs(account, [['fees', '1', 'DOGE']]) })).toBe('TOKEN_NOT_SUPPORTED');
    expect(await increase({ transfers: legs(account, [['fees', '1']]) })).toBe('VALIDATION_FAILED');
    expect(await increase({ amount: '', transfers: legs(account, [['treasury', '1']]) })).toBe('VALIDATION_FAILED');
    expect(await increase({ metadata: { actor: 'x'.repeat(129) } })).toBe('VALIDATION_FAILED');
    await ledger.accounts.blockAccount({ accountId: account.accountId }, ledger.operator);
    expect(await increase({})).toBe('ACCOUNT_BLOCKED');
    await ledger.accounts.unblockAccount({ accountId: account.accountId }, ledger.operator);
    expect(await row(account)).toEqual(['60', '40', '0', '0']);
  });

  it('is decreased down to nothing, and stays open', async () => {
    const { account, name } = await withHold();
    const decrease = (amount: string) => ledger.holds.decreaseHold({ ...name, changeId: randomUUID(), amount }, ledger.operator);
    expect(await codeOf(decrease('41'))).toBe('AMOUNT_INVALID');
    await decrease('15');
    await decrease('25');
    expect(await row(account)).toEqual(['100', '0', '0', '0']);
    expect(await held(name)).toEqual({ status: HoldStatus.OPEN, parts: [['settlement', '0']] });
    expect(await codeOf(ledger.holds.postHold(name, ledger.operator))).toBe('AMOUNT_INVALID');
    await ledger.holds.voidHold(name, ledger.operator);
    expect(await held(name)).toEqual({ status: HoldStatus.VOIDED, parts: [] });
  });

  it('is extended before it expires, and expires at its new time', async () => {
    const { account, name } = await withHold([['settlement', '40']], 30);
    const extend = (seconds: number) =>
      ledger.holds.extendHold({ ...name, changeId: randomUUID(), expiresAt: inSeconds(seconds) }, ledger.operator);
    expect(await codeOf(extend(29))).toBe('HOLD_EXPIRY_INVALID');
    await extend(90);
    clock.advanceSeconds(60);
    expect(await held(name)).toMatchObject({ status: HoldStatus.OPEN });
    clock.advanceSeconds(31);
    expect(await codeOf(extend(60))).toBe('HOLD_EXPIRED');
    await waitFor('the money', async () => ((await row(account))[0] === '100' ? true : undefined));
    expect(await held(name)).toMatchObject({ status: HoldStatus.EXPIRED });
    expect(await codeOf(extend(60))).toBe('HOLD_EXPIRED');
  });

  it('is not found under another account, or at all', async () => {
    const { name } = await withHold();
    const other = await ledger.open();
    const stranger = { ...name, accountId: other.accountId };
    const change = { changeId: randomUUID() as string, amount: '1' };
    const calls: (() => Promise<unknown>)[] = [
      () => ledger.holds.increaseHold({ ...stranger, ...change }, ledger.operator),
      () => ledger.holds.decreaseHold({ ...stranger, ...change }, ledger.operator),
      () => ledger.holds.getHold(stranger, ledger.operator),
      () => ledger.holds.getHold({ ...name, holdId: randomUUID() }, ledger.operator),
    ];
    for (const call of calls) expect(await codeOf(call())).toBe('HOLD_NOT_FOUND');
    await ledger.holds.increaseHold({ ...name, ...change }, ledger.operator);
    expect(await codeOf(ledger.holds.increaseHold({ ...stranger, ...change }, ledger.operator))).toBe('HOLD_NOT_FOUND');
  });
});

describe('postings', () => {
  it('of equal amounts are booked once per posting id', async () => {
    const { account, name } = await withHold();
    const post = (postingId: string) => ledger.holds.postHold({ ...name, postingId, amount: '15', keepOpen: true }, ledger.operator);
    const [one, two] = [randomUUID() as string, randomUUID() as string];
    const { entry } = await post(one);
    expect((await post(one)).entry).toEqual(entry);
    await post(two);
    expect(await row(account)).toEqual(['60', '10', '0', '0']);
    expect(await codeOf(ledger.holds.postHold({ ...name, postingId: one, amount: '14', keepOpen: true }, ledger.operator))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    const concurrent = randomUUID();
    await Promise.all(Array.from({ length: 8 }, () => post(concurrent).catch(() => undefined)));
    expect(await row(account)).toEqual(['60', '10', '0', '0']);
    await ledger.holds.postHold({ ...name, postingId: randomUUID(), amount: '4' }, ledger.operator);
    expect(await row(account)).toEqual(['66', '0', '0', '0']);
    expect(await held(name)).toEqual({ status: HoldStatus.POSTED, parts: [] });
    expect(await codeOf(post(randomUUID()))).toBe('HOLD_ALREADY_RESOLVED');
    expect(await codeOf(ledger.holds.voidHold(name, ledger.operator))).toBe('HOLD_ALREADY_RESOLVED');
    expect((await post(one)).entry).toEqual(entry);
  });

  it('beyond the hold take what is available, then debt, only when forced', async () => {
    const { account, name } = await withHold();
    const over = { ...name, postingId: randomUUID() as string, amount: '130' };
    expect(await codeOf(ledger.holds.postHold(over, ledger.operator))).toBe('AMOUNT_INVALID');
    expect(await row(account)).toEqual(['60', '40', '0', '0']);
    const { entry } = await ledger.holds.postHold({ ...over, forced: true }, ledger.operator);
    const own = (bucket: string) => `${account.accountId}/${bucket}`;
    expect(entry?.transfers.map(({ debit, amount }) => [debit, amount])).toEqual([
      [own('held'), '40'],
      [own('available'), '60'],
      [own('debt'), '30'],
    ]);
    expect(entry?.forced).toBe(true);
    expect(await row(account)).toEqual(['0', '0', '0', '30']);
  });

  it('are accepted after the hold has ended, or without one, when they are forced and state an amount', async () => {
    const { account, name } = await withHold();
    await ledger.holds.voidHold(name, ledger.operator);
    const late = { ...name, postingId: randomUUID() as string, forced: true };
    expect(await codeOf(ledger.holds.postHold({ ...late, amount: '10' }, ledger.operator))).toBe('HOLD_ALREADY_RESOLVED');
    await ledger.holds.postHold({ ...late, transfers: legs(account, [['settlement', '10']]) }, ledger.operator);
    const never = { ...name, holdId: randomUUID() as string, postingId: randomUUID() as string, forced: true };
    await ledger.holds.postHold({ ...never, transfers: legs(account, [['settlement', '5']]) }, ledger.operator);
    expect(await row(account)).toEqual(['85', '0', '0', '0']);
  });

  it('are the same whichever hold they name when they are forced: the caller may have lost it', async () => {
    const { account, name } = await withHold();
    const posting = { postingId: randomUUID() as string, forced: true, transfers: legs(account, [['settlement', '10']]) };
    const { entry } = await ledger.holds.postHold({ ...name, ...posting, keepOpen: true }, ledger.operator);
    const elsewhere = { ...name, holdId: randomUUID() as string, ...posting };
    expect((await ledger.holds.postHold(elsewhere, ledger.operator)).entry).toEqual(entry);
    expect(await row(account)).toEqual(['60', '30', '0', '0']);
    const other = { ...elsewhere, transfers: legs(account, [['settlement', '11']]) };
    expect(await codeOf(ledger.holds.postHold(other, ledger.operator))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('take no more from the hold than they may, and the rest from what is available', async () => {
    const { account, name } = await withHold();
    const posting = { ...name, postingId: randomUUID() as string, forced: true, keepOpen: true, amount: '35', fromHold: '25' };
    await ledger.holds.postHold(posting, ledger.operator);
    expect(await row(account)).toEqual(['50', '15', '0', '0']);
    const unforced = { ...posting, postingId: randomUUID() as string, forced: false };
    expect(await codeOf(ledger.holds.postHold(unforced, ledger.operator))).toBe('VALIDATION_FAILED');
  });

  it('without a hold need a posting id, and leave the end of a hold that is created later free', async () => {
    const { account, name } = await withHold();
    const never = { ...name, holdId: randomUUID() as string, forced: true, transfers: legs(account, [['settlement', '5']]) };
    expect(await codeOf(ledger.holds.postHold(never, ledger.operator))).toBe('HOLD_NOT_FOUND');
    await ledger.holds.postHold({ ...never, postingId: randomUUID() }, ledger.operator);
    const hold = { entryId: never.holdId, transfers: legs(account, [['settlement', '5']]), holdExpiresAt: inSeconds(60) };
    await ledger.entries.createEntries({ entries: [hold] }, ledger.operator);
    await ledger.holds.voidHold({ accountId: account.accountId, holdId: never.holdId }, ledger.operator);
    expect(await held({ accountId: account.accountId, holdId: never.holdId })).toMatchObject({ status: HoldStatus.VOIDED });
  });

  it('split what is held into amount and fee, and into what is still in the Safe', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '100');
    const settling = `${account.accountId}/settling`;
    const holdId = randomUUID() as string;
    const parts: Part[] = [
      [settling, '30'],
      ['fees', '2'],
    ];
    const hold = { entryId: holdId, transfers: legs(account, parts), holdExpiresAt: inSeconds(60) };
    await ledger.entries.createEntries({ entries: [hold] }, ledger.operator);
    const name = { accountId: account.accountId, holdId };
    expect(await held(name)).toEqual({ status: HoldStatus.OPEN, parts });
    expect(await codeOf(ledger.holds.postHold({ ...name, amount: '1' }, ledger.operator))).toBe('AMOUNT_INVALID');
    const transfers = legs(account, [
      [settling, '29'],
      ['fees', '3'],
    ]);
    await ledger.holds.postHold({ ...name, postingId: randomUUID(), transfers }, ledger.operator);
    expect(await row(account)).toEqual(['68', '0', '29', '0']);
    const finalized = [{ debit: settling, credit: 'chain', token: 'EURe', amount: '29' }];
    await ledger.entries.createEntries({ entries: [{ entryId: randomUUID(), transfers: finalized }] }, ledger.operator);
    expect(await row(account)).toEqual(['68', '0', '0', '0']);
  });

  it('need a posting id to keep the hold open', async () => {
    const { name } = await withHold();
    expect(await codeOf(ledger.holds.postHold({ ...name, amount: '1', keepOpen: true }, ledger.operator))).toBe('VALIDATION_FAILED');
    expect(await codeOf(ledger.holds.postHold({ ...name, amount: '1', postingId: 'x' }, ledger.operator))).toBe('VALIDATION_FAILED');
  });
});
