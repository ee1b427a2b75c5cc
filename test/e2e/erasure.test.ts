import { randomUUID } from 'node:crypto';
import { streamOf } from '@florin/data/outbox';
import { openRedis } from '@florin/data/redis';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { quietLogger } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCardNetwork } from '../support/card-network.ts';
import { dumpDatabases } from '../support/dump-engines.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  acceptAllTerms,
  createCard,
  decide,
  explainFunds,
  newPhone,
  PAYMENT,
  type Person,
  raiseChallenge,
  registerPerson,
  signIn,
} from '../support/story.ts';

const ONE_EURO = '1000000000000000000';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({ RETENTION_CLAIMS_DAYS: '0' });
});
afterAll(() => platform?.close());

const deposit = ({ token }: Person) =>
  platform.api.request('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: ONE_EURO } });
const erase = ({ token }: Person) => platform.api.request('DELETE', '/user', { token });
const codeOf = ({ body }: { body: unknown }): unknown => (body as { error?: unknown }).error;
const accountOf = async ({ userId }: Person): Promise<{ status: string }> => {
  const found = (await dumpDatabases(platform.databases)).filter(
    ({ place, text }) => place.includes('_ledger/accounts/') && text.includes(userId),
  );
  expect(found).toHaveLength(1);
  return JSON.parse(found[0]?.text ?? '{}') as { status: string };
};

describe('a person with everything', () => {
  let person: Person;
  let cardId: string;
  const phone = newPhone();
  beforeAll(async () => {
    const { api } = platform;
    person = await registerPerson(api);
    await acceptAllTerms(api, person.token);
    await explainFunds(api, person.token);
    cardId = await createCard(api, person.token, { cardName: 'Groceries', phone });
    expect((await deposit(person)).status).toBe(200);
  });

  it('gets one document with the records of every service, without secrets', async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, cardId);
    await decide(platform.api, person, challengeId, 'decline');
    const { records } = await platform.api.as(person.token).user.exportUserData();
    const kinds = new Set(records.map(({ service, kind }) => `${service}/${kind}`));
    expect([...kinds].sort()).toEqual([
      'card/card',
      'card/cardholder',
      'identity/session',
      'identity/source_of_funds',
      'identity/terms_acceptance',
      'identity/user',
      'ledger/account',
      'ledger/deposit',
      'threeds/challenge',
      'vault/card_number',
    ]);
    const of = (kind: string) => records.filter((record) => record.kind === kind).map(({ data }) => data);
    expect(of('user')).toMatchObject([{ id: person.userId, email: person.email }]);
    expect(of('cardholder')).toMatchObject([{ phone }]);
    // The card may have another name since.
    expect(JSON.stringify(of('cardholder'))).not.toContain('Groceries');
    const { headers } = await platform.api.request('GET', '/user/export', { token: person.token });
    expect(headers.get('content-disposition')).toBe('attachment; filename="personal-data.json"');
    expect(of('challenge')).toMatchObject([{ id: challengeId, decision: 'decline', receipt: { signer: person.wallet.address } }]);
    expect(of('session')).toMatchObject([{ wallet: person.wallet.address, ip: '127.0.0.1' }]);
    const text = JSON.stringify(records);
    for (const secret of ['salt', 'generation', 'f1.', 'inputHash', 'outbox', 'kycEventIds', 'dataKey', 'panHash'])
      expect(text).not.toContain(secret);
  });

  it('gets an export only after a recent sign-in, five times a day', async () => {
    const other = await registerPerson(platform.api);
    for (let n = 0; n < 5; n += 1) expect((await platform.api.request('GET', '/user/export', { token: other.token })).status).toBe(200);
    const sixth = await platform.api.request('GET', '/user/export', { token: other.token });
    expect([sixth.status, codeOf(sixth)]).toEqual([429, 'RATE_LIMITED']);
    platform.clock.advanceSeconds(6 * 60);
    const late = await platform.api.request('GET', '/user/export', { token: other.token });
    expect([late.status, codeOf(late)]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    const unregistered = await platform.api.request('GET', '/user/export');
    expect(unregistered.status).toBe(401);
  });

  it('is not erased while money or challenges are open, then erased in every service', async () => {
    const { api } = platform;
    const fresh = async () => ({ ...person, token: (await signIn(api, person.wallet)).accessToken });
    person = await fresh();
    const challengeId = await raiseChallenge(api, person.token, cardId);
    expect(codeOf(await erase(person))).toBe('USER_HAS_OPEN_CHALLENGES');
    await decide(api, person, challengeId, 'decline');
    expect(codeOf(await erase(person))).toBe('USER_HAS_BALANCE');
    await api.as(person.token).sandbox.createWithdrawal({ token: 'EURe', amount: ONE_EURO });

    expect((await erase(person)).status).toBe(200);
    expect((await erase(person)).status).toBe(401);
    expect((await api.request('GET', '/user/export', { token: person.token })).status).toBe(401);
    expect(await accountOf(person)).toMatchObject({ status: 'closed' });
    const values = await dumpDatabases(platform.databases);
    const cards = values.filter(({ place, text }) => place.includes('_card/cards/') && text.includes(person.userId));
    expect(cards.map(({ text }) => JSON.parse(text))).toMatchObject([{ status: 'cancelled', name: '' }]);
    const cardholder = values.find(({ place }) => place.endsWith(`_card/cardholders/${person.userId}`));
    expect(JSON.parse(cardholder?.text ?? '')).not.toHaveProperty('phone');
    const number = values.find(({ place }) => place.endsWith(`_vault/cards/${cardId}`));
    expect(JSON.parse(number?.text ?? '')).toMatchObject({ shreddedAt: expect.any(String), panHash: expect.any(String) });
    for (const destroyed of ['pan', 'pin', 'dataKey']) expect(JSON.parse(number?.text ?? '')).not.toHaveProperty(destroyed);
    const user = values.find(({ place }) => place.endsWith(`_identity/users/${person.userId}`));
    expect(JSON.parse(user?.text ?? '')).toMatchObject({ wallets: [], erasedAt: expect.any(String) });
    expect(user?.text).not.toContain('email');
  });

  it('may register anew with the same wallet and e-mail address', async () => {
    const earlier = person;
    let again: Person | undefined;
    const end = Date.now() + 20_000;
    while (again === undefined && Date.now() < end) {
      // Claims are released by a round every two seconds.
      await pause(200);
      // An address gets five codes an hour.
      platform.clock.advanceSeconds(3600);
      again = await registerPerson(platform.api, earlier.wallet, { email: earlier.email }).catch(() => undefined);
    }
    expect(again?.userId).not.toBe(earlier.userId);
    expect((await deposit(again as Person)).status).toBe(200);
  });
});

describe('a person who has paid by card', () => {
  it('is erased some time after the last payment, and what was spent is still collected', async () => {
    const { api } = platform;
    const person = await registerPerson(api);
    const cardId = await createCard(api, person.token);
    await deposit(person);
    const client = api.as(person.token);
    const { transactionId } = await client.sandbox.createPayment({
      cardId,
      amount: '100',
      currency: PAYMENT.currency,
      merchant: { name: 'Bookshop' },
      capture: true,
    });
    await expect.poll(async () => (await client.cards.getCardTransaction({ transactionId })).status).toBe('settled');
    const early = await erase(person);
    expect(codeOf(early)).toBe('USER_HAS_RECENT_PAYMENTS');
    expect(early.headers.get('link')).toMatch(/title="erasableFrom: \d{4}-\d\d-\d\dT/);
    platform.clock.advanceSeconds(30 * 86_400 - 600);
    const fresh = async () => ({ ...person, token: (await signIn(api, person.wallet)).accessToken });
    expect(codeOf(await erase(await fresh()))).toBe('USER_HAS_RECENT_PAYMENTS');
    platform.clock.advanceSeconds(600);
    const [{ id: accountId }, erased] = [await api.as((await fresh()).token).userAccount.getAccount(), await erase(await fresh())];
    expect(erased.status).toBe(200);
    expect(await accountOf(person)).toMatchObject({ status: 'closed' });

    const ledger = openOperatorChannel(platform, {
      audience: 'ledger',
      baseUrl: platform.urls['LEDGER_URL'],
      scopes: [LEDGER_SCOPES.writeEntries, LEDGER_SCOPES.systemEntries],
    });
    const transfers = [{ debit: `${accountId}/settling`, credit: 'chain', token: 'EURe', amount: ONE_EURO }];
    const { results } = await ledger.client(EntryService).createEntries({ entries: [{ entryId: randomUUID(), transfers }] });
    expect(results[0]?.code).toBe(EntryResultCode.CREATED);
    await ledger.close();

    // Later events are recorded, booked and told all the same, so that somebody looks after them.
    const network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
    expect(await network.payment(cardId).refund(70)).toMatchObject({ refundedAmount: '70', accountId });
    const late = network.payment(cardId);
    expect(await late.clear(30)).toMatchObject({ clearedAmount: '30', accountId });
    const redis = await openRedis(platform.databases.redisUrl, quietLogger);
    const told = async () =>
      ((await redis.xRange(streamOf('card'), '-', '+')) ?? []).flatMap(({ message }) =>
        JSON.parse(message['payload'] ?? '').accountId === accountId ? [message['type']] : [],
      );
    await expect.poll(told).toEqual(expect.arrayContaining(['payment.refunded', 'payment.cleared']));
    redis.destroy();
    await network.close();
  });
});

describe('an erasure and a deposit at the same time', () => {
  it.each([0, 1, 2, 3, 4, 5])('have one winner (%i)', async (n) => {
    const person = await registerPerson(platform.api);
    const [erasure, deposited] = await Promise.all(
      n % 2 === 0 ? [erase(person), deposit(person)] : [deposit(person), erase(person)].reverse(),
    );
    const { status } = await accountOf(person);
    if (erasure?.status === 200) {
      expect(status).toBe('closed');
      expect(deposited?.status).not.toBe(200);
    } else {
      expect(codeOf(erasure as { body: unknown })).toBe('USER_HAS_BALANCE');
      expect(deposited?.status).toBe(200);
      expect(status).toBe('active');
      expect(await platform.api.as(person.token).user.getUser()).toMatchObject({ email: person.email });
    }
  });

  it('show in no export what an erasure beside it leaves of others, and nothing after it', async () => {
    const [person, other] = [await registerPerson(platform.api), await registerPerson(platform.api)];
    const read = () => platform.api.request('GET', '/user/export', { token: person.token });
    const [erased, ...exports] = await Promise.all([erase(person), read(), read(), read()]);
    // A busy machine answers later than the gateway waits (504); the same request finds out.
    expect(erased.status).toBeOneOf([200, 504]);
    if (erased.status === 504) await expect.poll(async () => (await erase(person)).status).toBeOneOf([200, 401]);
    for (const { status, body } of exports) {
      expect(status).toBeOneOf([200, 401, 403, 404, 504]);
      expect(JSON.stringify(body)).not.toContain(other.userId);
    }
    expect((await read()).status).toBe(401);
  });
});
