import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { ensureKeys } from '@florin/local';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import type { Environment } from '@florin/rpc/config';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { copyDatabase, ledgerCommand } from '../support/restore.ts';
import { createCard, type Person, registerPerson } from '../support/story.ts';

/**
 * The restore drill of docs/operations: the ledger's export and a consistent copy of every other database, taken one after another while the platform serves and money
 * moves, are restored on empty engines.
 */

const MERCHANT = { name: 'Bookshop', country: 'DE', categoryCode: '5942' };

let directory: string;
let headKey: Environment;
let platform: PlatformInProcess;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-restore-'));
  headKey = { LEDGER_HEAD_KEY_FILE: (await ensureKeys(directory)).ledgerHeadKeyFile };
  platform = await start(testEngines().database);
}, 120_000);
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  await rm(directory, { recursive: true, force: true });
});

const start = async (database: string, more: Environment = {}): Promise<PlatformInProcess> => {
  const parts = { place: { dataDir: directory, database }, events: {}, settlement: {} };
  const started = await startPlatformInProcess({ ...headKey, ...more }, parts);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await started.close();
    isOpen = false;
  };
  closers.push(close);
  return { ...started, close };
};

const openNetwork = ({ urls, operatorKey }: PlatformInProcess): CardNetwork => {
  const network = connectCardNetwork(urls['CARD_URL'] ?? '', operatorKey);
  closers.push(network.close);
  return network;
};

/** A person's views of money, sessions and cards. */
const VIEWS = [
  '/user/balances/v2',
  '/user/account',
  '/user/statement',
  '/auth/sessions',
  '/cards',
  '/cards/transactions',
  '/user/deposits',
];
const viewOf = async (api: ApiClient, { token }: Person): Promise<Record<string, unknown>> =>
  Object.fromEntries(await Promise.all(VIEWS.map(async (path) => [path, await api.call('GET', path, { token })] as const)));

/** The views once the ledger has booked so many purchases, and lists them: a balance or a list that changes meanwhile is not the one that is exported. */
const viewOnceBooked = (at: PlatformInProcess, person: Person, purchases: number): Promise<Record<string, unknown>> =>
  waitFor('the clearings in the statement', async () => {
    // Entries that the ledger was too busy to book are booked later.
    at.clock.advanceSeconds(0.05);
    const { userAccount, userMovements } = at.api.as(person.token);
    const [{ data: balances }, { data: lines }] = [await userAccount.getBalances(), await userMovements.listStatement()];
    const isBooked =
      balances.every(({ nonSpendable }) => Number(nonSpendable) === 0) &&
      lines.filter(({ kind }) => kind === 'card_payment').length === purchases;
    return isBooked ? viewOf(at.api, person) : undefined;
  });

/** Ids of a person's events, the oldest first, once these types are among them. */
const eventsOf = (api: ApiClient, { token }: Person, types: readonly string[]): Promise<string[]> =>
  waitFor(`events of the types ${types.join(', ')}`, async () => {
    const { data } = await api.as(token).events.listUserEvents({ limit: 500 });
    const count = (type: string) => data.filter((event) => event.type === type).length;
    return types.every((type) => count(type) >= types.filter((one) => one === type).length) ? data.map(({ id }) => id) : undefined;
  });

const live = async (api: ApiClient, { token }: Person, amount: string): Promise<string> => {
  await api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${amount}${'0'.repeat(18)}` });
  return createCard(api, token);
};

const purchaseWith = (cardId: string) => ({ cardId, transactionId: randomUUID(), authorization: randomUUID(), clearing: randomUUID() });
type Purchase = ReturnType<typeof purchaseWith>;

/** Reports a purchase as the processor does. */
const report = async (network: CardNetwork, { cardId, transactionId, authorization, clearing }: Purchase): Promise<void> => {
  const payment = network.payment(cardId, transactionId);
  expect(await payment.authorize(1999, { event: payment.event({ eventId: authorization }) })).toMatchObject({ approved: true });
  await payment.clear(500, { event: payment.event({ eventId: clearing }) });
};

/** The network's record of a purchase. */
const recordOf = ({ transactionId, clearing }: Purchase) => ({
  ...{ source: 'operator', id: clearing, date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), currency: 'EUR' },
  kind: { case: 'clearing', value: { network: 'visa', amount: '500', transactionId, eventId: clearing } } as const,
});

const settle = async (at: PlatformInProcess, purchases: readonly Purchase[]): Promise<void> => {
  const scopes = Object.values(SETTLEMENT_SCOPES);
  const channel = openOperatorChannel(at, { audience: 'settlement', baseUrl: at.urls['SETTLEMENT_URL'], scopes });
  await channel.client(SettlementService).importRecords({ records: purchases.map(recordOf) });
  await channel.close();
};

/** Waits until ledger and network agree on so many purchases, and differ on so many others. */
const untilSettled = async (database: string, agreed: number, open = 0): Promise<void> => {
  const { connection, close } = await openStore({ uri: testEngines().mongodbUri, database, poolSize: 2, logger: quietLogger });
  const items = connection.collection('items');
  await waitFor(
    `${agreed} settled purchases`,
    async () => {
      const [isOpen, others] = [{ openSince: { $exists: true } }, { openSince: { $exists: false }, parts: { $size: 2 } }];
      return (await items.countDocuments(others)) === agreed && (await items.countDocuments(isOpen)) === open ? true : undefined;
    },
    60_000,
  );
  await close();
};

describe('a platform that is restored on empty engines, each service as of another time', () => {
  it('has the balances, sessions, cards and events of before, and goes on', async () => {
    const people = [await registerPerson(platform.api), await registerPerson(platform.api)] as const;
    const [payer, other] = people;
    const cards = [await live(platform.api, payer, '100'), await live(platform.api, other, '55')] as const;
    const [first, second, third, others] = [cards[0], cards[0], cards[0], cards[1]].map(purchaseWith) as [
      Purchase,
      Purchase,
      Purchase,
      Purchase,
    ];
    const names = Object.fromEntries(platform.databases.names.map((name) => [name.split('_').at(-1) ?? '', name]));
    const database = testEngines().database;
    const backUp = (service: string) => copyDatabase(names[service] ?? '', `${database}_${service}`);
    const file = join(directory, 'journal.gz');
    const network = openNetwork(platform);

    for (const service of ['identity', 'threeds', 'vault']) await backUp(service);
    for (const purchase of [first, others]) await report(network, purchase);
    const before = await viewOnceBooked(platform, other, 1);
    await viewOnceBooked(platform, payer, 1);
    await ledgerCommand(headKey, names['ledger'] ?? '', 'export', file);
    await report(network, second);
    await viewOnceBooked(platform, payer, 2);
    await backUp('card');
    await report(network, third);
    const { '/user/balances/v2': balances } = await viewOnceBooked(platform, payer, 3);
    await settle(platform, [first, second, third, others]);
    await untilSettled(names['settlement'] ?? '', 4);
    await backUp('settlement');
    const told = [
      await eventsOf(platform.api, payer, ['deposit.approved', ...['payment.cleared', 'payment.cleared', 'payment.cleared']]),
      await eventsOf(platform.api, other, ['deposit.approved', 'payment.cleared']),
    ];
    await platform.close();
    await backUp('events');
    await ledgerCommand(headKey, `${database}_ledger`, 'import', file);
    expect(await ledgerCommand(headKey, `${database}_ledger`, 'verify')).toContain('verified');

    // Redis is empty: codes, nonces and limits of before are gone, and nothing else.
    const restored = await start(database, { REDIS_URL: new URL('/8', testEngines().redisUrl).href });
    const { api } = restored;
    expect(await viewOf(api, other)).toEqual(before);
    await untilSettled(`${database}_settlement`, 2, 2);
    const again = openNetwork(restored);
    expect(await again.payments.replayPayments({})).toMatchObject({ payments: 3, skippedPaymentIds: [], rejectedPaymentIds: [] });
    await report(again, third);
    expect((await viewOnceBooked(restored, payer, 3))['/user/balances/v2']).toEqual(balances);
    await untilSettled(`${database}_settlement`, 4);
    for (const [index, person] of people.entries()) {
      const { accessToken: token } = await api.as().auth.refreshSession({ refreshToken: person.refreshToken });
      const body = { cardId: cards[index] ?? '', amount: '100', currency: 'EUR' as const, merchant: MERCHANT };
      expect(await api.as(token).sandbox.createPayment(body)).toMatchObject({ approved: true });
      // Events that were told before stand as they were, and the feed goes on behind them.
      const known = told[index] ?? [];
      const events = await waitFor('an event after the restore', async () => {
        const all = await eventsOf(api, { ...person, token }, ['payment.cleared']);
        return all.length > known.length ? all : undefined;
      });
      expect(events.slice(0, known.length)).toEqual(known);
    }
    expect(await ledgerCommand(headKey, `${database}_ledger`, 'verify')).toContain('verified');
  }, 240_000);
});
