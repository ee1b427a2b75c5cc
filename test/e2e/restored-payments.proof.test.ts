import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEngines } from '@florin/data/testing';
import { ensureKeys } from '@florin/local';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '../support/api-client.ts';
import { type CardNetwork, CORRECT_PIN, connectCardNetwork, euro, SHOP, untilKnown } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { startPlatformInProcess } from '../support/platform-in-process.ts';
import { copyDatabase, ledgerCommand } from '../support/restore.ts';
import { createCard, registerPerson } from '../support/story.ts';

/** The restore of docs/operations with backups of different times: card older than ledger, and ledger older than card. */

const DEPOSIT = 10_000;

let directory: string;
let keys: { LEDGER_HEAD_KEY_FILE: string };
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-ages-'));
  keys = { LEDGER_HEAD_KEY_FILE: (await ensureKeys(directory)).ledgerHeadKeyFile };
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  await rm(directory, { recursive: true, force: true });
});

const start = async (database: string, redis: string) => {
  const redisUrl = new URL(redis, testEngines().redisUrl).href;
  const platform = await startPlatformInProcess({ ...keys, REDIS_URL: redisUrl }, { place: { dataDir: directory, database } });
  const network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  const toLedger = { audience: 'ledger', baseUrl: platform.urls['LEDGER_URL'], scopes: [LEDGER_SCOPES.readBalances] };
  const ledger = openOperatorChannel(platform, toLedger);
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await Promise.all([network.close(), ledger.close()]);
    await platform.close();
  };
  closers.push(close);
  return { platform, network, balances: ledger.client(BalanceService), close };
};
type Running = Awaited<ReturnType<typeof start>>;

const PAYMENTS = ['open', 'parts', 'whole', 'held', 'booked', 'advised'] as const;

type Payments = Record<string, ReturnType<typeof referencesOf>>;
const referencesOf = (cardId: string, transactionId = randomUUID() as string) => ({
  transactionId,
  /** The same id for the same event, however often it is sent. */
  event: (name: string) => ({ eventId: `${transactionId}_${name}`, transactionId, cardId }),
});

/** Before the older backup. */
const early = async ({ processor }: CardNetwork, { open, parts }: Payments): Promise<void> => {
  for (const [payment, amount] of [
    [open, 3000],
    [parts, 2000],
  ] as const) {
    if (payment === undefined) throw new Error('the payment is missing');
    const request = { event: payment.event('authorize'), amount: euro(amount), merchant: SHOP };
    expect((await untilKnown(() => processor.authorize(request))).decision).toMatchObject({ approved: true });
  }
  await processor.clear({ event: parts?.event('first_part') ?? {}, amount: euro(500), merchant: SHOP, moreExpected: true });
};

/** A clearing that an acquirer presents to a card that nobody has. */
const presentedToUnknown = (event: object) => ({
  event: { ...event, network: { acquirerReference: '7'.repeat(23) } },
  amount: euro(250),
  merchant: SHOP,
});

/** Between the older backup and the newer one. Sent again, each event is answered. */
const late = async ({ processor }: CardNetwork, { open, parts, whole, held, booked, unknown }: Payments): Promise<void> => {
  if (open === undefined || parts === undefined || whole === undefined || held === undefined) throw new Error('a payment is missing');
  if (booked === undefined || unknown === undefined) throw new Error('a payment is missing');
  const of = (event: object, amount: number) => ({ event, amount: euro(amount), merchant: SHOP });
  expect((await untilKnown(() => processor.increment(of(open.event('increment'), 500)))).decision).toMatchObject({ approved: true });
  await processor.clear(of(open.event('clear'), 3500));
  await processor.clear({ ...of(parts.event('second_part'), 300), moreExpected: true });
  await processor.clear(of(parts.event('last_part'), 1000));
  await untilKnown(() => processor.authorize(of(whole.event('authorize'), 1000)));
  await processor.clear({ ...of(whole.event('first_part'), 600), moreExpected: true });
  await processor.clear(of(whole.event('clear'), 400));
  await processor.refund(of(whole.event('refund'), 450));
  const withdrawal = { ...of(booked.event('authorize'), 400), atm: true, singleMessage: true, checks: CORRECT_PIN };
  for (const request of [of(held.event('authorize'), 700), withdrawal])
    expect((await untilKnown(() => processor.authorize(request))).decision).toMatchObject({ approved: true });
  await processor.clear(presentedToUnknown(unknown.event('clear')));
};

/** Returns the payments' sums, and the ledger's: free, held and settling, in cents; and the suspense. */
const compared = async ({ platform, network, balances }: Running, token: string) => {
  const { data } = await createApiClient(platform.url).as(token).cards.listCardTransactions();
  const sum = (field: 'heldAmount' | 'clearedAmount' | 'refundedAmount') => data.reduce((total, row) => total + Number(row[field]), 0);
  const [held, cleared, refunded] = [sum('heldAmount'), sum('clearedAmount'), sum('refundedAmount')];
  const { payment } = await network.payments.getPayment({ paymentId: data[0]?.id ?? '' });
  const { currencies } = await balances.getAccountBalances({ accountId: payment?.accountId ?? '' });
  const row = currencies.flatMap(({ tokens }) => tokens).find((one) => one.token === 'EURe');
  const cents = (amount: string | undefined) => Number(BigInt(amount ?? '') / 10n ** 16n);
  const system = await balances.getSystemBalances({});
  return {
    payments: [DEPOSIT - held - cleared + refunded, held, cleared],
    ledger: [cents(row?.spendable), cents(row?.nonSpendable), cents(row?.settling)],
    suspense: cents(system.balances.find(({ name, token: of }) => name === 'suspense' && of === 'EURe')?.balance ?? '0'),
  };
};

/** The same, while time passes: what the ledger was too busy to book is booked later. */
const laterCompared = (running: Running, token: string) => {
  running.platform.clock.advanceSeconds(0.05);
  return compared(running, token);
};

const replay = async ({ network }: Running) => {
  const all = { payments: 0, skipped: [] as string[], rejected: [] as string[] };
  let cursor = '';
  do {
    const page = await network.payments.replayPayments({ page: { limit: 2, cursor } });
    all.payments += page.payments;
    all.skipped.push(...page.skippedPaymentIds);
    all.rejected.push(...page.rejectedPaymentIds);
    cursor = page.page?.nextCursor ?? '';
  } while (cursor !== '');
  return all;
};

/** Pays, and restores the platform from a backup of one service that is older than the others. */
const restoredWith = async (older: 'card' | 'ledger') => {
  const before = await start(`${testEngines().database}_${older}`, '/7');
  const { token } = await registerPerson(before.platform.api);
  const cardId = await createCard(before.platform.api, token);
  await before.platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` });
  const payments: Payments = { unknown: referencesOf(randomUUID()) };
  for (const name of PAYMENTS) payments[name] = referencesOf(cardId);
  const names = Object.fromEntries(before.platform.databases.names.map((name) => [name.split('_').at(-1) ?? '', name]));
  const database = testEngines().database;
  const file = join(directory, `${database}.gz`);
  const backUp = {
    card: () => copyDatabase(names['card'] ?? '', `${database}_card`),
    ledger: () => ledgerCommand(keys, names['ledger'] ?? '', 'export', file),
  };
  await early(before.network, payments);
  await backUp[older]();
  await late(before.network, payments);
  const authorization = { event: payments['advised']?.event('authorize') ?? {}, amount: euro(200), merchant: SHOP };
  await untilKnown(() => before.network.processor.authorize(authorization));
  await expect.poll(async () => (await laterCompared(before, token)).ledger).toEqual([2850, 900, 6700]);
  const seen = await compared(before, token);
  await backUp[older === 'card' ? 'ledger' : 'card']();
  await before.close();
  for (const service of ['identity', 'threeds', 'vault']) await copyDatabase(names[service] ?? '', `${database}_${service}`);
  await ledgerCommand(keys, `${database}_ledger`, 'import', file);
  const restored = await start(database, '/8');
  return { restored, payments, token, cardId, seen, verify: () => ledgerCommand(keys, `${database}_ledger`, 'verify') };
};

describe('a platform whose ledger is older than its payments', () => {
  it('has booked everything once the payments are replayed, while it serves', async () => {
    const { restored, token, cardId, seen, verify } = await restoredWith('ledger');
    expect((await compared(restored, token)).ledger).not.toEqual(seen.ledger);
    const during = referencesOf(cardId);
    const request = { event: during.event('authorize'), amount: euro(100), merchant: SHOP };
    const [first, { decision }] = await Promise.all([replay(restored), untilKnown(() => restored.network.processor.authorize(request))]);
    expect(first).toEqual({ payments: expect.any(Number), skipped: [], rejected: [] });
    expect(decision).toMatchObject({ approved: true });
    await restored.network.processor.reverse({ event: during.event('reverse') });
    await expect.poll(() => laterCompared(restored, token)).toEqual(seen);
    expect(await replay(restored)).toEqual({ payments: 7, skipped: [], rejected: [] });
    expect(await compared(restored, token)).toEqual(seen);
    expect(seen.payments).toEqual(seen.ledger);
    expect(seen.suspense).toBe(-250);
    expect(await verify()).toContain('verified');
  }, 240_000);
});

describe('a platform whose payments are older than its ledger', () => {
  it('books nothing twice when the events come again, and has the payments that the ledger has', async () => {
    const { restored, payments, token, seen, verify } = await restoredWith('card');
    const advice = { event: payments['advised']?.event('authorize') ?? {}, amount: euro(200), merchant: SHOP };
    await restored.network.processor.advise(advice);
    await restored.network.processor.clear(presentedToUnknown(payments['unknown']?.event('again') ?? {}));
    await late(restored.network, payments);
    await late(restored.network, payments);
    // Requests for which the ledger holds or has booked money were approved, and are again.
    expect(seen.ledger).toEqual([2850, 900, 6700]);
    await expect.poll(() => laterCompared(restored, token), { timeout: 20_000 }).toEqual({ ...seen, payments: seen.ledger });
    expect(await replay(restored)).toEqual({ payments: 6, skipped: [], rejected: [] });
    expect(await compared(restored, token)).toEqual({ ...seen, payments: seen.ledger });
    expect(await verify()).toContain('verified');
  }, 240_000);
});
