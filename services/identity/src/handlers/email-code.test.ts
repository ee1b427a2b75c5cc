import { OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  as,
  type Clients,
  codeFor,
  createWorld,
  emailCode,
  newEmail,
  newUser,
  newWallet,
  signIn,
  type World,
  wrong,
} from '../testing/world.ts';

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld();
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());

const walletToken = async () => (await signIn(clients, newWallet())).accessToken;
const send = (token: string, email: string) => clients.codes.sendEmailCode({ email }, as(token));
const register = (token: string, email: string, otp: string) => clients.users.registerUser({ email, otp }, as(token));
const limited = (seconds: number, code = 'RATE_LIMITED') => ({ code, metadata: { retryAfterSeconds: String(seconds) } });

describe('SendEmailCode', () => {
  it('sends six digits to the address as it was typed', async () => {
    const email = newEmail();
    await send(await walletToken(), ` ${email} `);
    const { messages } = await clients.sandbox.listOutboxMessages({ to: email.toLowerCase() });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ channel: OutboxChannel.EMAIL, to: email, code: expect.stringMatching(/^\d{6}$/) });
    expect(messages[0]?.text).toContain(messages[0]?.code);
  });

  it('returns the same for an address that has a user', async () => {
    const { email } = await newUser(clients);
    world.clock.advanceSeconds(3600);
    const known = await send(await walletToken(), email);
    const unknown = await send(await walletToken(), newEmail());
    expect(known).toEqual(unknown);
  });

  it.each([
    '',
    'person',
    'a@b',
    'a b@example.org',
    'a@example.org, b@example.org',
    `${'x'.repeat(250)}@example.org`,
    'a@example.org\nBcc: b@c.de',
  ])('rejects %j', async (email) => {
    await expect(send(await walletToken(), email)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('requires a wallet token', async () => {
    await expect(clients.codes.sendEmailCode({ email: newEmail() })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(send('a.b.c', newEmail())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('sends again only after 30 seconds and leaves the first code valid', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const first = await emailCode(clients, token, email);
    world.clock.advanceSeconds(12);
    await expect(send(token, email.toUpperCase())).rejects.toMatchObject(limited(18, 'RESEND_TOO_SOON'));
    await expect(register(token, email, first)).resolves.toMatchObject({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('replaces the older code by the newer one', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const first = await emailCode(clients, token, email);
    world.clock.advanceSeconds(30);
    const second = await emailCode(clients, token, email);
    if (first !== second) await expect(register(token, email, first)).rejects.toMatchObject({ code: 'INVALID_OTP' });
    await expect(register(token, email, second)).resolves.toMatchObject({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('sends once for two concurrent requests', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const both = await Promise.allSettled([send(token, email), send(token, email)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await clients.sandbox.listOutboxMessages({ to: email })).messages).toHaveLength(1);
    await expect(register(token, email, await codeFor(clients, email))).resolves.toMatchObject({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('limits the codes to one address per requester, so that one person cannot keep another from getting one', async () => {
    const email = newEmail();
    const sendFrom = async (ip: string) => clients.codes.sendEmailCode({ email, ip }, as(await walletToken()));
    for (let count = 0; count < 5; count += 1) await sendFrom('2001:db8:1:100::1');
    for (const ip of ['2001:db8:1:100::1', '2001:db8:1:1ff::2']) await expect(sendFrom(ip)).rejects.toMatchObject(limited(3600));
    await expect(sendFrom('192.0.2.1')).resolves.toBeDefined();
    world.clock.advanceSeconds(3599);
    await expect(sendFrom('2001:db8:1:100::1')).rejects.toMatchObject(limited(1));
    world.clock.advanceSeconds(1);
    await expect(sendFrom('2001:db8:1:100::1')).resolves.toBeDefined();
  });

  it('sends at most 25 codes an hour to one address, for all requesters together', async () => {
    const email = newEmail();
    const sendFrom = async (ip: string) => clients.codes.sendEmailCode({ email, ip }, as(await walletToken()));
    for (let count = 0; count < 25; count += 1) await sendFrom(`192.0.2.${count}`);
    await expect(sendFrom('192.0.2.100')).rejects.toMatchObject(limited(3600));
  });

  it('sends at most 30 codes an hour for one requester', async () => {
    const sendFrom = async (ip: string) => clients.codes.sendEmailCode({ email: newEmail(), ip }, as(await walletToken()));
    for (let count = 0; count < 30; count += 1) await sendFrom('198.51.100.1');
    await expect(sendFrom('198.51.100.1')).rejects.toMatchObject(limited(3600));
    await expect(sendFrom('198.51.100.2')).resolves.toBeDefined();
  });

  it('sends at most ten codes an hour for one wallet, to all addresses together; rejected requests do not count', async () => {
    const token = await walletToken();
    const first = newEmail();
    await send(token, first);
    for (let count = 0; count < 3; count += 1) await expect(send(token, first)).rejects.toMatchObject({ code: 'RESEND_TOO_SOON' });
    for (let count = 1; count < 10; count += 1) await send(token, newEmail());
    await expect(send(token, newEmail())).rejects.toMatchObject(limited(3600));
  });

  it('does not count a mail that could not be sent and allows an immediate repeat', async () => {
    let working = false;
    const sent: string[] = [];
    const mailer = {
      send: async ({ code }: { code: string }) => {
        if (!working) throw new Error('the mail server is unavailable');
        sent.push(code);
      },
    };
    const other = world.clientsOf((await world.start({ mailer })).url);
    const [token, email] = [await walletToken(), newEmail()];
    for (let count = 0; count < 12; count += 1) {
      await expect(other.codes.sendEmailCode({ email }, as(token))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    working = true;
    await other.codes.sendEmailCode({ email }, as(token));
    await expect(register(token, email, sent[0] ?? '')).resolves.toMatchObject({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('stores neither the code nor the address in clear, except in the outbox', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const code = await emailCode(clients, token, email);
    const seen = [...(await world.collection('codes').find().toArray()), ...(await world.collection('limit_windows').find().toArray())];
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen).toLowerCase()).not.toContain(email.toLowerCase());
    expect(JSON.stringify(seen)).not.toContain(`"${code}"`);
  });
});

describe('an e-mail code', () => {
  it('is bound to the wallet and to the address', async () => {
    const [token, other, email] = [await walletToken(), await walletToken(), newEmail()];
    const otp = await emailCode(clients, token, email);
    await expect(register(other, email, otp)).rejects.toMatchObject({ code: 'INVALID_OTP' });
    await expect(register(token, newEmail(), otp)).rejects.toMatchObject({ code: 'INVALID_OTP' });
    await expect(register(token, email, otp)).resolves.toMatchObject({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('allows four wrong tries', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const otp = await emailCode(clients, token, email);
    for (const guess of [wrong(otp), '', 'abcdef', `${otp}0`, wrong(otp)].filter((text) => text !== '')) {
      await expect(register(token, email, guess)).rejects.toMatchObject({ code: 'INVALID_OTP' });
    }
    await expect(register(token, email, otp)).resolves.toMatchObject({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('is exhausted after five wrong tries, until the next code', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const otp = await emailCode(clients, token, email);
    for (let count = 0; count < 5; count += 1) {
      await expect(register(token, email, wrong(otp))).rejects.toMatchObject({ code: 'INVALID_OTP' });
    }
    for (const guess of [otp, wrong(otp)]) {
      await expect(register(token, email, guess)).rejects.toMatchObject({ code: 'OTP_ATTEMPTS_EXCEEDED' });
    }
    world.clock.advanceSeconds(400);
    await expect(register(token, email, otp)).rejects.toMatchObject({ code: 'OTP_ATTEMPTS_EXCEEDED' });
    const next = await emailCode(clients, token, email);
    await expect(register(token, email, next)).resolves.toMatchObject({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('is reported as expired for an hour, whether the guess is right or wrong', async () => {
    const [token, email] = [await walletToken(), newEmail()];
    const otp = await emailCode(clients, token, email);
    world.clock.advanceSeconds(300);
    await expect(register(token, email, otp)).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
    await expect(register(token, email, wrong(otp))).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
    await expect(register(token, newEmail(), otp)).rejects.toMatchObject({ code: 'INVALID_OTP' });
  });
});
