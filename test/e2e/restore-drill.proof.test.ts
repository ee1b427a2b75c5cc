import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEngines } from '@florin/data/testing';
import { ensureKeys } from '@florin/local';
import type { Environment } from '@florin/rpc/config';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { copyDatabase, ledgerCommand } from '../support/restore.ts';
import { createCard, type Person, registerPerson } from '../support/story.ts';

/**
 * The restore drill of docs/operations: the ledger's export, taken while the platform serves, and a consistent copy of every other database are
 * restored on empty engines.
 */

const MERCHANT = { name: 'Bookshop', country: 'DE', categoryCode: '5942' };

let directory: string;
let headKey: Environment;
let platform: PlatformInProcess;
let restored: PlatformInProcess;
let people: Person[];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-restore-'));
  headKey = { LEDGER_HEAD_KEY_FILE: (await ensureKeys(directory)).ledgerHeadKeyFile };
  platform = await startPlatformInProcess(headKey, { place: { dataDir: directory, database: testEngines().database }, events: {} });
}, 120_000);
afterAll(async () => {
  await Promise.all([platform?.close(), restored?.close()]);
  await rm(directory, { recursive: true, force: true });
});

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

/** The views once the ledger has booked the clearing, and lists it: a balance or a list that changes meanwhile is not the one that is exported. */
const viewOnceBooked = (api: ApiClient, person: Person): Promise<Record<string, unknown>> =>
  waitFor('the clearing in the statement', async () => {
    // Entries that the ledger was too busy to book are booked later.
    platform.clock.advanceSeconds(0.05);
    const { userAccount, userMovements } = api.as(person.token);
    const [{ data: balances }, { data: lines }] = [await userAccount.getBalances(), await userMovements.listStatement()];
    const isBooked = balances.every(({ nonSpendable }) => Number(nonSpendable) === 0) && lines.some(({ kind }) => kind === 'card_payment');
    return isBooked ? viewOf(api, person) : undefined;
  });

/** Ids of a person's events, the oldest first, once there is one of each of these types. */
const eventsOf = (api: ApiClient, { token }: Person, types: readonly string[]): Promise<string[]> =>
  waitFor(`events of the types ${types.join(', ')}`, async () => {
    const { data } = await api.as(token).events.listUserEvents({ limit: 500 });
    return types.every((type) => data.some((event) => event.type === type)) ? data.map(({ id }) => id) : undefined;
  });

const live = async (api: ApiClient, { token }: Person, amount: string): Promise<string> => {
  const cardId = await createCard(api, token);
  await api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${amount}${'0'.repeat(18)}` });
  const pay = { cardId, amount: '1999', currency: 'EUR' as const, merchant: MERCHANT };
  const { transactionId } = await api.as(token).sandbox.createPayment(pay);
  await api.as(token).sandbox.clearPayment({ transactionId, amount: '500' });
  return cardId;
};

describe('a platform that is restored on empty engines', () => {
  it('has the balances, sessions, cards and events of before, and goes on', async () => {
    people = [await registerPerson(platform.api), await registerPerson(platform.api)];
    const cards = [await live(platform.api, people[0] as Person, '100'), await live(platform.api, people[1] as Person, '55')];
    const before = await Promise.all(people.map((person) => viewOnceBooked(platform.api, person)));
    const told = await Promise.all(people.map((person) => eventsOf(platform.api, person, ['deposit.approved', 'payment.cleared'])));
    const file = join(directory, 'journal.gz');
    const names = Object.fromEntries(platform.databases.names.map((name) => [name.split('_').at(-1) ?? '', name]));
    await ledgerCommand(headKey, names['ledger'] ?? '', 'export', file);
    await platform.close();

    const database = testEngines().database;
    for (const service of ['identity', 'card', 'threeds', 'vault', 'events'])
      await copyDatabase(names[service] ?? '', `${database}_${service}`);
    await ledgerCommand(headKey, `${database}_ledger`, 'import', file);
    expect(await ledgerCommand(headKey, `${database}_ledger`, 'verify')).toContain('verified');

    // Redis is empty: codes, nonces and limits of before are gone, and nothing else.
    const redisUrl = new URL('/8', testEngines().redisUrl).href;
    restored = await startPlatformInProcess({ ...headKey, REDIS_URL: redisUrl }, { place: { dataDir: directory, database }, events: {} });
    const api = createApiClient(restored.url);
    expect(await Promise.all(people.map((person) => viewOf(api, person)))).toEqual(before);
    for (const [index, { refreshToken }] of people.entries()) {
      const { accessToken: token } = await api.as().auth.refreshSession({ refreshToken });
      const body = { cardId: cards[index] ?? '', amount: '100', currency: 'EUR' as const, merchant: MERCHANT };
      expect(await api.as(token).sandbox.createPayment(body)).toMatchObject({ approved: true });
      // Events that were told before stand as they were, and the feed goes on behind them.
      const known = told[index] ?? [];
      const events = await waitFor('an event after the restore', async () => {
        const all = await eventsOf(api, { ...(people[index] as Person), token }, ['payment.cleared']);
        return all.length > known.length ? all : undefined;
      });
      expect(events.slice(0, known.length)).toEqual(known);
    }
  }, 240_000);
});
