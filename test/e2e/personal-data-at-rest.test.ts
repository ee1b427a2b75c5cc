import { randomInt, randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withCall } from '../support/api-client.ts';
import { type DumpedValue, dumpDatabases, dumpRedis } from '../support/dump-engines.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  acceptAllTerms,
  createCard,
  decide,
  explainFunds,
  newPhone,
  newWallet,
  raiseChallenge,
  readCode,
  registerPerson,
} from '../support/story.ts';

const group = (): string => randomInt(0x1000, 0xffff).toString(16);
/** One address for the whole story; no other test uses it. */
const IP = `2001:db8:${group()}:${group()}::${group()}`;
const LOCAL_PART = `At.Rest.${randomUUID().slice(0, 13)}`;
const EMAIL = `${LOCAL_PART}@Example.org`;
const ABANDONED_EMAIL = `first.${LOCAL_PART}@example.org`;
const [PHONE, SECOND_PHONE] = [newPhone(), newPhone()];

let platform: PlatformInProcess;
let stored: { databases: DumpedValue[]; redis: DumpedValue[] };
beforeAll(async () => {
  platform = await startPlatformInProcess({ TRUST_PROXY: '1' });
  const { api: plain } = platform;
  const api = withCall((method, path, options = {}) =>
    plain.request(method, path, { ...options, headers: { 'x-forwarded-for': IP, 'user-agent': 'browser', ...options.headers } }),
  );
  const person = await registerPerson(api, newWallet(), { email: EMAIL });
  const { token } = person;
  await acceptAllTerms(api, token);
  await explainFunds(api, token);
  const cardId = await createCard(api, token, { cardName: 'Everyday', phone: PHONE });
  await api.as(token).phone.sendPhoneCode({ phone: SECOND_PHONE });
  await api.as(token).phone.updatePhone({ code: await readCode(api, SECOND_PHONE) });
  await decide(api, person, await raiseChallenge(api, token, cardId), 'approve');

  // A registration that stops half-way, and a code that nobody uses.
  const other = newWallet();
  await registerPerson(api, other, { email: ABANDONED_EMAIL });
  await api.request('POST', '/auth/refresh', { body: { refreshToken: 'none' } });
  await api.request('DELETE', `/auth/sessions/${randomUUID()}`, { token, headers: { 'idempotency-key': randomUUID() } });

  // The values are readable where they are needed.
  expect(await api.as(token).user.getUser()).toMatchObject({ email: EMAIL });
  const { data } = await api.as(token).auth.listSessions();
  expect(data.map(({ ip }) => ip)).toEqual([IP]);
  stored = { databases: await dumpDatabases(platform.databases), redis: await dumpRedis(platform.databases.redisUrl) };
});
afterAll(() => platform?.close());

const CLEAR: readonly (readonly [string, string])[] = [
  ['e-mail address', LOCAL_PART.toLowerCase()],
  ['phone number', PHONE.slice(1)],
  ['verified phone number', SECOND_PHONE.slice(1)],
  ['IP address', IP],
];
const found = (values: readonly DumpedValue[], text: string): string[] =>
  values.filter((value) => value.text.toLowerCase().includes(text)).map(({ place }) => place);

describe('everything that is stored after a whole story', () => {
  it('is read by the dump', async () => {
    const collections = new Set(stored.databases.map(({ place }) => place.split('/')[1]));
    for (const name of ['users', 'registrations', 'sessions', 'term_acceptances', 'email_claims', 'cardholders', 'challenges']) {
      expect(collections).toContain(name);
    }
    // A value in clear is found.
    const store = await openStore({
      uri: platform.databases.mongodbUri,
      database: platform.databases.names[0] ?? '',
      poolSize: 1,
      logger: quietLogger,
    });
    const planted = store.connection.collection<{ _id: string; nested: object }>('planted');
    await planted.insertOne({ _id: 'x', nested: { to: [EMAIL] } });
    expect(found(await dumpDatabases(platform.databases), LOCAL_PART.toLowerCase())).toEqual([expect.stringContaining('/planted/x')]);
    await planted.drop();
    await store.close();
  });

  it.each(CLEAR)('contains no %s in any database', (_what, text) => {
    expect(found(stored.databases, text)).toEqual([]);
  });

  it.each(CLEAR)('contains no %s in Redis', (_what, text) => {
    expect(found(stored.redis, text)).toEqual([]);
  });
});
