import { randomUUID } from 'node:crypto';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { systemRuntime } from '@florin/rpc/runtime';
import { REASON_HEADER } from '@florin/rpc/server';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

const HOUR_MS = 3_600_000;
const { PENDING, BOOKED, EXPIRED } = AdjustmentStatus;

const environment = ledgerEnvironment({
  APPROVAL_ABOVE: JSON.stringify({ EURe: '100', GBPe: '100' }),
  APPROVAL_WINDOW_HOURS: '24',
  APPROVAL_EXPIRES_HOURS: '48',
  ADJUSTMENT_SWEEP_MS: '50',
});
let ahead = 0;
const moved = { runtime: { ...systemRuntime, now: () => new Date(Date.now() + ahead) } };
let ledger: TestLedger;
let other: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(environment, moved);
  other = await startLedger(environment, moved);
});
afterAll(async () => {
  await other.close();
  expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
  await ledger.close();
});

type Transfer = { debit: string; credit: string; token?: string; amount: string };
const newActor = () => `actor ${randomUUID()}`;
const order = (actor: string, ...transfers: Transfer[]) => ({
  adjustmentId: randomUUID() as string,
  change: { case: 'transfers' as const, value: { transfers: transfers.map((one) => ({ token: 'EURe', ...one })) } },
  metadata: { actor, reason: 'goodwill' },
});
const create = async (request: ReturnType<typeof order>, at = ledger) =>
  (await at.adjustments.createAdjustment(request, at.operator)).adjustment?.status;
const approve = (adjustmentId: string, actor: string) => ledger.adjustments.approveAdjustment({ adjustmentId, actor }, ledger.operator);
const get = async (adjustmentId: string) => (await ledger.adjustments.getAdjustment({ adjustmentId }, ledger.operator)).adjustment;
const credit = (account: { accountId: string }, amount: string): Transfer => ({ debit: 'settlement', credit: account.accountId, amount });
/** The amounts that an actor may order for an account without approval, of the tokens that have a limit here. */
const allowance = async (actor: string, account: { accountId: string }) => {
  const { amounts } = await ledger.adjustments.getAllowance({ actor, accounts: ['settlement', account.accountId] }, ledger.operator);
  return { EURe: amounts['EURe'], GBPe: amounts['GBPe'] };
};
const spendable = async (account: Parameters<TestLedger['tokenBalances']>[0]) => (await ledger.tokenBalances(account))['EURe']?.spendable;

describe('adjustments without approval', () => {
  it('add up by actor over all accounts', async () => {
    const actor = newActor();
    const accounts = [await ledger.open(), await ledger.open(), await ledger.open()] as const;
    expect(await create(order(actor, credit(accounts[0], '60')))).toBe(BOOKED);
    expect(await create(order(actor, credit(accounts[1], '40')))).toBe(BOOKED);
    expect(await create(order(actor.toUpperCase(), credit(accounts[2], '1')))).toBe(PENDING);
    expect(await allowance(actor, accounts[2])).toEqual({ EURe: '0', GBPe: '100' });
    expect(await create(order(actor, { ...credit(accounts[2], '100'), token: 'GBPe' }))).toBe(BOOKED);
    expect(await allowance(actor, accounts[0])).toEqual({ EURe: '0', GBPe: '0' });
    expect(await allowance(newActor(), accounts[0])).toEqual({ EURe: '40', GBPe: '100' });
    expect(await create(order(newActor(), credit(accounts[2], '100')))).toBe(BOOKED);
  });

  it('add up by account over all actors, in both directions', async () => {
    const account = await ledger.open();
    expect(await create(order(newActor(), credit(account, '60')))).toBe(BOOKED);
    expect(await create(order(newActor(), { debit: account.accountId, credit: 'settlement', amount: '40' }))).toBe(BOOKED);
    expect(await create(order(newActor(), credit(account, '1')))).toBe(PENDING);
    expect(await spendable(account)).toBe('20');
  });

  it('add up for system accounts when no user is concerned', async () => {
    const system = (amount: string): Transfer => ({ debit: 'settlement', credit: 'disputes', amount });
    expect(await create(order(newActor(), system('100')))).toBe(BOOKED);
    expect(await create(order(newActor(), system('1')))).toBe(PENDING);
  });

  it('never exceed the limit together, however many are ordered at once at several instances', async () => {
    const actor = newActor();
    const accounts = await Promise.all(Array.from({ length: 24 }, () => ledger.open()));
    const requests = accounts.map((account) => order(actor, credit(account, '10')));
    const results = await Promise.all(requests.flatMap((request) => [ledger, other].map((at) => codeOf(create(request, at)))));
    expect(results.filter((code) => code !== 'no error' && code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
    const statuses = await Promise.all(requests.map((request) => create(request)));
    const booked = statuses.filter((status) => status === BOOKED).length;
    expect(booked).toBeGreaterThan(0);
    expect(booked).toBeLessThanOrEqual(10);
    const balances = await Promise.all(accounts.map(spendable));
    expect(balances.filter((balance) => balance === '10')).toHaveLength(booked);
  });

  it('count once when they are repeated, also when the journal rejects them', async () => {
    const actor = newActor();
    const account = await ledger.open();
    const request = order(actor, credit(account, '50'));
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await create(request)).toBe(BOOKED);
    const rejected = order(actor, { debit: (await ledger.open()).accountId, credit: 'fees', amount: '50' });
    for (let attempt = 0; attempt < 2; attempt += 1) expect(await create(rejected)).toBe(AdjustmentStatus.FAILED);
    expect(await create(order(actor, credit(await ledger.open(), '1')))).toBe(PENDING);
  });

  it('do not count what a second person has approved', async () => {
    const actor = newActor();
    const large = order(actor, credit(await ledger.open(), '500'));
    expect(await create(large)).toBe(PENDING);
    expect((await approve(large.adjustmentId, 'bob')).adjustment?.status).toBe(BOOKED);
    expect(await create(order(actor, credit(await ledger.open(), '100')))).toBe(BOOKED);
  });
});

describe('an adjustment that was ordered by a person', () => {
  it('is not approved by that person through another client', async () => {
    const { headers } = ledger.as(await ledger.authority.serviceToken('ada', 'ledger', Object.values(LEDGER_SCOPES)));
    const request = order('ada', credit(await ledger.open(), '500'));
    await ledger.adjustments.createAdjustment(request, { headers: { ...headers, [REASON_HEADER]: 'goodwill' } });
    for (const actor of ['ada', 'ADA', 'a\u200bda']) expect(await codeOf(approve(request.adjustmentId, actor))).toBe('SELF_APPROVAL');
    expect((await get(request.adjustmentId))?.status).toBe(PENDING);
  });
});

/** Last: it moves the clock. */
describe('time', () => {
  it('frees what was ordered before the window, and ends what was not decided on', async () => {
    const actor = newActor();
    const account = await ledger.open();
    expect(await create(order(actor, credit(account, '100')))).toBe(BOOKED);
    const waiting = order(actor, credit(account, '500'));
    expect(await create(waiting)).toBe(PENDING);
    ahead = 24 * HOUR_MS + 60_000;
    const later = await waitFor('the ledger to accept the new time', () =>
      create(order(actor, credit(account, '100'))).catch(() => undefined),
    );
    expect(later).toBe(BOOKED);
    expect((await get(waiting.adjustmentId))?.status).toBe(PENDING);
    ahead = 48 * HOUR_MS + 60_000;
    await waitFor('the sweep', async () => ((await get(waiting.adjustmentId))?.status === EXPIRED ? true : undefined));
    expect(await codeOf(approve(waiting.adjustmentId, 'bob'))).toBe('ADJUSTMENT_STATE_CONFLICT');
    expect(await create(waiting)).toBe(EXPIRED);
  });
});
