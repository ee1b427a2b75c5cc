import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, codeFor, createWorld, newUser, newWallet, signIn, type World, wrong } from '../testing/world.ts';

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld();
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());

let lastPhone = randomInt(10_000_000, 90_000_000);
/** No two are equal. */
const newPhone = (): string => {
  lastPhone += 1;
  return `+49151${lastPhone}`;
};

const send = (token: string, phone: string) => clients.codes.sendPhoneCode({ phone }, as(token));
const sendAndRead = async (token: string, phone: string): Promise<string> => {
  await send(token, phone);
  return codeFor(clients, phone);
};
const verify = (userId: string, code: string, verificationId: string = randomUUID()) =>
  clients.card.verifyPhoneCode({ userId, code, verificationId });

describe('phone codes', () => {
  it('prove the number that they were sent to, once', async () => {
    const { userId, userToken } = await newUser(clients);
    const phone = newPhone();
    const code = await sendAndRead(userToken, phone);
    expect(await verify(userId, code)).toMatchObject({ phone });
    await expect(verify(userId, code)).rejects.toMatchObject({ code: 'INVALID_CODE' });
  });

  it('return the same result for the same verification within their lifetime, even after the next code was sent', async () => {
    const { userId, userToken } = await newUser(clients);
    const phone = newPhone();
    const code = await sendAndRead(userToken, phone);
    const id = randomUUID();
    expect(await verify(userId, code, id)).toMatchObject({ phone });
    expect(await verify(userId, code, id)).toMatchObject({ phone });
    expect(await verify(userId.toUpperCase(), code, id.toUpperCase())).toMatchObject({ phone });
    world.clock.advanceSeconds(60);
    const other = newPhone();
    const second = await sendAndRead(userToken, other);
    expect(await verify(userId, code, id)).toMatchObject({ phone });
    expect(await verify(userId, second)).toMatchObject({ phone: other });
  });

  it('return no result for a used verification after their lifetime', async () => {
    const { userId, userToken } = await newUser(clients);
    const code = await sendAndRead(userToken, newPhone());
    const id = randomUUID();
    await verify(userId, code, id);
    world.clock.advanceSeconds(300);
    await expect(verify(userId, code, id)).rejects.toMatchObject({ code: 'CODE_EXPIRED' });
  });

  it('verify one of many concurrent verifications', async () => {
    const { userId, userToken } = await newUser(clients);
    const code = await sendAndRead(userToken, newPhone());
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => verify(userId, code)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('are invalid once a newer code was sent to any number', async () => {
    const { userId, userToken } = await newUser(clients);
    const [first, second] = [newPhone(), newPhone()];
    const old = await sendAndRead(userToken, first);
    world.clock.advanceSeconds(30);
    const code = await sendAndRead(userToken, second);
    if (old !== code) await expect(verify(userId, old)).rejects.toMatchObject({ code: 'INVALID_CODE' });
    expect(await verify(userId, code)).toMatchObject({ phone: second });
  });

  it('are compared with at most five of many concurrent guesses', async () => {
    const { userId, userToken } = await newUser(clients);
    const code = await sendAndRead(userToken, newPhone());
    const guesses = await Promise.allSettled(Array.from({ length: 1000 }, () => verify(userId, wrong(code))));
    const outcomes = guesses.map((guess) => (guess.status === 'rejected' ? (guess.reason as { code: string }).code : 'accepted'));
    expect(outcomes.filter((outcome) => outcome === 'INVALID_CODE')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'CODE_ATTEMPTS_EXCEEDED')).toHaveLength(995);
    await expect(verify(userId, code)).rejects.toMatchObject({ code: 'CODE_ATTEMPTS_EXCEEDED' });
    const stored = await world.collection('codes').find().toArray();
    expect(Math.max(...stored.map(({ tries }) => Number(tries)))).toBe(5);
  });

  it('expire and are valid for one user only', async () => {
    const { userId, userToken } = await newUser(clients);
    const { userId: other } = await newUser(clients);
    const code = await sendAndRead(userToken, newPhone());
    await expect(verify(other, code)).rejects.toMatchObject({ code: 'INVALID_CODE' });
    world.clock.advanceSeconds(300);
    await expect(verify(userId, code)).rejects.toMatchObject({ code: 'CODE_EXPIRED' });
  });

  it('are sent to one number at least 30 seconds apart and at most ten an hour to one number', async () => {
    const { userToken } = await newUser(clients);
    const phone = newPhone();
    await send(userToken, phone);
    await expect(send(userToken, phone)).rejects.toMatchObject({ code: 'RESEND_TOO_SOON', metadata: { retryAfterSeconds: '30' } });
    for (let count = 1; count < 10; count += 1) await send((await newUser(clients)).userToken, phone);
    const { userToken: last } = await newUser(clients);
    await expect(send(last, phone)).rejects.toMatchObject({ code: 'RATE_LIMITED', metadata: { retryAfterSeconds: '3600' } });
  });

  it('are sent once without the pause to a corrected number', async () => {
    const { userId, userToken } = await newUser(clients);
    const [mistyped, corrected] = [newPhone(), newPhone()];
    await send(userToken, mistyped);
    const code = await sendAndRead(userToken, corrected);
    for (const phone of [mistyped, newPhone()]) await expect(send(userToken, phone)).rejects.toMatchObject({ code: 'RESEND_TOO_SOON' });
    expect(await verify(userId, code)).toMatchObject({ phone: corrected });
  });

  it('are sent at most ten an hour to one user, corrections included', async () => {
    const { userToken } = await newUser(clients);
    for (let count = 0; count < 5; count += 1) {
      await send(userToken, newPhone());
      await send(userToken, newPhone());
      world.clock.advanceSeconds(30);
    }
    await expect(send(userToken, newPhone())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it.each(['', '015112345678', '4915112345678', '+49 151 12345678', '+1', '+999123456789', '+491511234567890123'])(
    'are rejected for the number %j',
    async (phone) => {
      const { userToken } = await newUser(clients);
      await expect(send(userToken, phone)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  it('are limited per requester, so that one person cannot keep another from getting one', async () => {
    const phone = newPhone();
    const sendFrom = async (ip: string) => clients.codes.sendPhoneCode({ phone, ip }, as((await newUser(clients)).userToken));
    for (let count = 0; count < 5; count += 1) await sendFrom('192.0.2.1');
    await expect(sendFrom('192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(sendFrom('192.0.2.2')).resolves.toBeDefined();
  });

  it('are sent only to numbers of the configured countries', async () => {
    const { userToken } = await newUser(clients);
    const refused = { code: 'PHONE_COUNTRY_NOT_ALLOWED' };
    for (const phone of ['+12125550123', '+37477123456']) await expect(send(userToken, phone)).rejects.toMatchObject(refused);
    await send(userToken, newPhone());
    const swiss = world.clientsOf((await world.start({}, { SMS_COUNTRIES: 'CH' })).url);
    const other = await newUser(swiss);
    await expect(swiss.codes.sendPhoneCode({ phone: newPhone() }, as(other.userToken))).rejects.toMatchObject(refused);
    await swiss.codes.sendPhoneCode({ phone: '+41781234567' }, as(other.userToken));
  });

  it('require a registered user to be sent and a service with the scope to be verified', async () => {
    const { accessToken } = await signIn(clients, newWallet());
    await expect(send(accessToken, newPhone())).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
    const request = { userId: randomUUID(), code: '123456', verificationId: randomUUID() };
    await expect(clients.codes.verifyPhoneCode(request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(verify(request.userId, request.code)).rejects.toMatchObject({ code: 'INVALID_CODE' });
    await expect(verify('x', '')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
