import { randomUUID } from 'node:crypto';
import { streamOf } from '@florin/data/outbox';
import { NoticeKind } from '@florin/proto/identity/v1/user_service';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { as, type Clients, createWorld, newUser, signIn, type World } from '../testing/world.ts';

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld();
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world?.close());

const mailsTo = async (email: string) =>
  (await clients.sandbox.listOutboxMessages({ to: email })).messages.filter(({ code }) => code === '').map(({ text }) => text);

const eventsOf = async (userId: string) =>
  ((await world.redis.xRange(streamOf('identity'), '-', '+')) ?? []).flatMap(({ message }) =>
    message['aggregateId'] === userId ? [message['type']] : [],
  );

it('mails the user of the token about each kind of change, once for each change', async () => {
  const { email, userToken } = await newUser(clients);
  const kinds = Object.values(NoticeKind).filter((kind) => kind !== NoticeKind.UNSPECIFIED);
  for (const kind of kinds) await clients.users.notifyCurrentUser({ noticeId: randomUUID(), kind, last4: '4242' }, as(userToken));
  await expect.poll(() => mailsTo(email), { timeout: 20_000 }).toHaveLength(kinds.length);
  const texts = (await mailsTo(email)).toReversed();
  for (const [index, words] of ['phone number', 'issued', 'replaced', 'unfrozen', 'Limits', 'blocked before', 'browser'].entries())
    expect(texts[index]).toContain(words);
  expect(texts.filter((text) => text.includes('ends in 4242'))).toHaveLength(4);
  expect(texts.join()).not.toContain('undefined');
});

it('publishes an event of what is about to be opened, by which devices are notified, once for each change', async () => {
  const { userId, userToken } = await newUser(clients);
  const noticeId = randomUUID();
  const raising = { noticeId, kind: NoticeKind.LIMITS_RAISING, last4: '4242' };
  await Promise.all([1, 2, 3].map(() => clients.users.notifyCurrentUser(raising, as(userToken))));
  await clients.users.notifyCurrentUser({ ...raising, noticeId: randomUUID(), kind: NoticeKind.CONTROLS_OPENING }, as(userToken));
  await clients.users.notifyCurrentUser({ ...raising, noticeId: randomUUID(), kind: NoticeKind.CARD_UNFREEZING }, as(userToken));
  await expect
    .poll(() => eventsOf(userId), { timeout: 20_000 })
    .toEqual(['user.registered', 'user.card_limits_raising', 'user.card_controls_opening']);
});

it('tells a verified phone number by text message that it is being replaced, within the limits of messages', async () => {
  const { userToken, email } = await newUser(clients);
  const formerPhone = '+493012345678';
  const changing = { kind: NoticeKind.PHONE_CHANGING, last4: '', formerPhone };
  const textsTo = async (to: string) => (await clients.sandbox.listOutboxMessages({ to })).messages.map(({ text }) => text);
  await clients.users.notifyCurrentUser({ ...changing, noticeId: randomUUID() }, as(userToken));
  await expect.poll(() => textsTo(formerPhone), { timeout: 20_000 }).toEqual([expect.stringContaining('another phone number')]);
  for (let count = 0; count < 8; count += 1) await clients.users.notifyCurrentUser({ ...changing, noticeId: randomUUID() }, as(userToken));
  await expect.poll(() => mailsTo(email), { timeout: 20_000 }).not.toEqual([]);
  expect((await textsTo(formerPhone)).length).toBeLessThanOrEqual(5);
  const premium = '+5353123456';
  await clients.users.notifyCurrentUser({ ...changing, formerPhone: premium, noticeId: randomUUID() }, as(userToken));
  expect(await textsTo(premium)).toEqual([]);
});

it('keeps one mail of each kind and card while the mail server is away, so that registering browsers displaces no other', async () => {
  const alone = await createWorld();
  const registering = await alone.start();
  const { userId, userToken } = await newUser(alone.clientsOf(registering.url));
  await registering.close();
  const mailer = { send: () => Promise.reject(new Error('the mail server is unavailable')) };
  const away = alone.clientsOf((await alone.start({ mailer })).url);
  const tell = (noticeId: string, kind: NoticeKind, last4 = '') => away.users.notifyCurrentUser({ noticeId, kind, last4 }, as(userToken));
  const ids = { phone: randomUUID(), one: randomUUID(), other: randomUUID(), browser: randomUUID() };
  await tell(ids.phone, NoticeKind.PHONE_CHANGING);
  await tell(ids.one, NoticeKind.LIMITS_RAISING, '4242');
  await tell(ids.other, NoticeKind.LIMITS_RAISING, '1881');
  for (let count = 0; count < 60; count += 1) await tell(randomUUID(), NoticeKind.DEVICE_ADDING);
  await Promise.all([1, 2, 3].map(() => tell(ids.browser, NoticeKind.DEVICE_ADDING)));
  const waiting = (await alone.collection('users').findOne({ _id: userId }))?.['notices'] as { id: string }[];
  expect(waiting.map(({ id }) => id)).toEqual([ids.phone, ids.one, ids.other, ids.browser]);
  await alone.close();
});

it.each<[string, { noticeId?: string; kind?: NoticeKind; last4?: string }]>([
  ['an unknown kind', { kind: 99 as NoticeKind }],
  ['no kind', { kind: NoticeKind.UNSPECIFIED }],
  ['an id that is no UUID', { noticeId: 'x' }],
  ['digits that are none', { last4: '<b>1' }],
])('rejects %s', async (_name, wrong) => {
  const { userToken } = await newUser(clients);
  const request = { noticeId: randomUUID(), kind: NoticeKind.CARD_ORDERED, last4: '4242', ...wrong };
  await expect(clients.users.notifyCurrentUser(request, as(userToken))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

it('tells services when the wallet signed in: a registration and a refresh make it no more recent', async () => {
  const { wallet, userToken } = await newUser(clients);
  const signedIn = await signIn(clients, wallet);
  const at = decodeJwt(signedIn.accessToken)['auth_time'];
  expect(at).toBe(Math.floor(world.clock.now().getTime() / 1000));
  expect(decodeJwt(userToken)['auth_time']).toBe(at);
  world.clock.advanceSeconds(400);
  const { tokens } = await clients.auth.refreshSession({ refreshToken: signedIn.refreshToken });
  expect(decodeJwt(tokens?.accessToken ?? '')['auth_time']).toBe(at);
});
