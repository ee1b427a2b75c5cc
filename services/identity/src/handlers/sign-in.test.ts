import { randomUUID } from 'node:crypto';
import { streamOf } from '@florin/data/outbox';
import { malleated, withV } from '@florin/evm/testing';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { NoticeKind } from '@florin/proto/identity/v1/user_service';
import { USER_TOKEN_AUDIENCE, USER_TOKEN_ISSUER } from '@florin/rpc/auth';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { getAddress } from 'viem';
import { parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QUIET_MS } from '../domain/new-device.ts';
import { REFRESH_LIFE_MS } from '../domain/refresh-rules.ts';
import { MAX_SESSIONS } from '../sessions/sessions.ts';
import { proofToAdd } from '../testing/wallets.ts';
import { as, type Clients, createWorld, DOMAIN, newUser, newWallet, signIn, type World } from '../testing/world.ts';

const PARTNERS = JSON.stringify([
  { id: 'florin', name: 'Florin', domains: ['app.example.org'] },
  { id: 'other', name: 'Other & Co.', domains: ['shop.example.com:8443'] },
]);
const URI = `http://${DOMAIN}/`;

let world: World;
let url: string;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({ PARTNERS });
  ({ url } = await world.start());
  clients = world.clientsOf(url);
});
afterAll(() => world.close());

const issue = (address: string, domain = DOMAIN, uri = URI) => clients.auth.createSiweMessage({ address, domain, uri });

describe('CreateSiweMessage', () => {
  it('writes an EIP-4361 message for an address of any case', async () => {
    const { address } = newWallet();
    const { message, expiresAt } = await issue(
      `0x${address.slice(2).toUpperCase()}`,
      'APP.example.org',
      'https://app.example.org/login?x=1',
    );
    const fields = parseSiweMessage(message);
    expect(fields).toMatchObject({
      address,
      domain: 'app.example.org',
      uri: 'https://app.example.org/login?x=1',
      chainId: 100,
      version: '1',
      statement: 'Sign in to Florin.',
      issuedAt: world.clock.now(),
    });
    expect(fields.nonce).toMatch(/^[a-zA-Z0-9]{17,}$/);
    expect(fields.expirationTime?.getTime()).toBe(world.clock.now().getTime() + 600_000);
    expect(Number(expiresAt?.seconds)).toBe(Math.floor((world.clock.now().getTime() + 600_000) / 1000));
  });

  it.each([
    ['an unknown domain', 'evil.example.net', 'https://evil.example.net/', 'DOMAIN_NOT_ALLOWED'],
    ['a port that is not the partner’s', 'shop.example.com', 'https://shop.example.com/', 'DOMAIN_NOT_ALLOWED'],
    ['a subdomain of a partner', 'x.app.example.org', 'https://x.app.example.org/', 'DOMAIN_NOT_ALLOWED'],
    ['a host that starts with localhost', 'localhost.evil.net', 'http://localhost.evil.net/', 'DOMAIN_NOT_ALLOWED'],
    ['a URI on another host', 'app.example.org', 'https://evil.example.net/', 'VALIDATION_FAILED'],
    ['a URI that names the domain as a user', 'app.example.org', 'https://app.example.org@evil.example.net/', 'VALIDATION_FAILED'],
    ['a URI that breaks the line', 'app.example.org', 'https://app.example.org/\nVersion: 1', 'VALIDATION_FAILED'],
    ['a URI of another scheme', 'app.example.org', 'javascript://app.example.org/', 'VALIDATION_FAILED'],
    ['a domain with a path', 'app.example.org/x', 'https://app.example.org/x', 'VALIDATION_FAILED'],
  ])('rejects %s', async (_what, domain, uri, code) => {
    await expect(issue(newWallet().address, domain, uri)).rejects.toMatchObject({ code });
  });

  it.each(['', '0x12', `0x${'g'.repeat(40)}`, 'vitalik.eth'])('rejects the address %j', async (address) => {
    await expect(issue(address)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('requires the scope of a gateway', async () => {
    const request = { address: newWallet().address, domain: DOMAIN, uri: URI };
    const token = await world.authority.serviceToken('threeds', 'identity', [IDENTITY_SCOPES.readUsers]);
    const headers = { authorization: `Bearer ${token}` };
    await expect(clients.auth.createSiweMessage(request, { headers })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('SignIn', () => {
  it('opens a session with a wallet token that the published keys verify', async () => {
    const wallet = newWallet();
    const { accessToken, refreshToken, userId, accessExpiresAt } = await signIn(clients, wallet);
    const jwks = createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
    const { payload, protectedHeader } = await jwtVerify(accessToken, jwks, { issuer: USER_TOKEN_ISSUER, audience: USER_TOKEN_AUDIENCE });
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(payload).toMatchObject({ sub: getAddress(wallet.address), pid: 'florin', jti: expect.any(String) });
    expect(payload).not.toHaveProperty('uid');
    expect(Number(payload.exp) - Number(payload.iat)).toBe(900);
    expect(Number(accessExpiresAt?.seconds)).toBe(payload.exp);
    expect(refreshToken.startsWith(`${payload['sid']}.`)).toBe(true);
    expect(userId).toBe('');
    const session = await world.collection('sessions').findOne({ _id: String(payload['sid']) });
    expect(session).toMatchObject({ wallet: wallet.address, partnerId: 'florin', generation: 0 });
    expect(JSON.stringify(session)).not.toContain(refreshToken.split('.')[2]);
  });

  it('takes the partner from the domain', async () => {
    const { accessToken } = await signIn(clients, newWallet(), 'shop.example.com:8443', 'https://shop.example.com:8443/');
    expect(decodeJwt(accessToken)['pid']).toBe('other');
  });

  it('stores the user agent, cut to its maximum length, and the IP address', async () => {
    const wallet = newWallet();
    const { message } = await issue(wallet.address);
    const signature = await wallet.signMessage({ message });
    const { tokens } = await clients.auth.signIn({ message, signature, userAgent: 'x'.repeat(300), ip: '192.0.2.1' });
    const sid = String(decodeJwt(tokens?.accessToken ?? '')['sid']);
    const session = await world.collection('sessions').findOne({ _id: sid });
    expect(session).toMatchObject({ userAgent: 'x'.repeat(256) });
    expect(world.readField('sessions', session, 'ip')).toBe('192.0.2.1');
  });

  it('accepts a message once', async () => {
    const wallet = newWallet();
    const { message } = await issue(wallet.address);
    const signature = await wallet.signMessage({ message });
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => clients.auth.signIn({ message, signature })));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts) if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'NONCE_USED' });
    await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'NONCE_USED' });
    expect(await world.collection('sessions').countDocuments({ wallet: wallet.address })).toBe(1);
  });

  /** A message of a wallet whose second session the engine refuses, until `accept`. */
  const refused = async () => {
    const wallet = newWallet();
    await signIn(clients, wallet);
    const sessions = world.collection('sessions');
    const refusal = await sessions.createIndex({ wallet: 1 }, { unique: true, partialFilterExpression: { wallet: wallet.address } });
    const { message } = await issue(wallet.address);
    const signature = await wallet.signMessage({ message });
    return { wallet, message, signature, accept: () => sessions.dropIndex(refusal) };
  };

  it('accepts the same message after the engine refused the session, and then once', async () => {
    const { wallet, message, signature, accept } = await refused();
    try {
      await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    } finally {
      await accept();
    }
    const { tokens } = await clients.auth.signIn({ message, signature });
    expect(decodeJwt(tokens?.accessToken ?? '').sub).toBe(getAddress(wallet.address));
    await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'NONCE_USED' });
  });

  it('accepts a message once, though the engine refuses some of those who send it at the same time', async () => {
    const { wallet, message, signature, accept } = await refused();
    const outcomes: string[] = [];
    const attempt = async (): Promise<void> => {
      outcomes.push(
        await clients.auth.signIn({ message, signature }).then(
          () => 'OK',
          ({ code }: { code: string }) => code,
        ),
      );
    };
    const sendOnAndOn = async (): Promise<void> => {
      while (!outcomes.includes('OK')) await attempt();
    };
    const sending = Promise.all(Array.from({ length: 4 }, sendOnAndOn));
    await vi.waitUntil(() => outcomes.filter((code) => code === 'INTERNAL_ERROR').length >= 3, { timeout: 30_000 });
    await accept();
    await sending;
    await attempt();
    expect(outcomes.filter((code) => code === 'OK')).toHaveLength(1);
    expect([...new Set(outcomes)].sort()).toEqual(['INTERNAL_ERROR', 'NONCE_USED', 'OK']);
    expect(await world.collection('sessions').countDocuments({ wallet: wallet.address })).toBe(2);
  }, 60_000);

  it('rejects an expired message and a message with a nonce that identity did not write', async () => {
    const wallet = newWallet();
    const { message } = await issue(wallet.address);
    const signature = await wallet.signMessage({ message });
    world.clock.advanceSeconds(600);
    await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
    const foreign = message.replace(/Nonce: .*/, 'Nonce: 00000000000000000000000000000000');
    const again = await wallet.signMessage({ message: foreign });
    await expect(clients.auth.signIn({ message: foreign, signature: again })).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
    const forged = message.replace(/Nonce: .{8}/, 'Nonce: 00000000');
    const signed = { message: forged, signature: await wallet.signMessage({ message: forged }) };
    await expect(clients.auth.signIn(signed)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('rejects a signature that is not the canonical one of the wallet, and keeps the nonce usable', async () => {
    const wallet = newWallet();
    const { message } = await issue(wallet.address);
    const signature = await wallet.signMessage({ message });
    const bad = [
      await newWallet().signMessage({ message }),
      await wallet.signMessage({ message: `${message} ` }),
      malleated(signature),
      withV(signature, signature.endsWith('1b') ? 0 : 1),
      signature.slice(0, -2),
      `${signature}00`,
      `0x${'0'.repeat(128)}1b`,
      'not hex at all',
    ];
    for (const forged of bad) {
      await expect(clients.auth.signIn({ message, signature: forged })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
    await expect(clients.auth.signIn({ message, signature })).resolves.toBeDefined();
  });

  it('rejects a message that was changed after it was issued, even when the change is signed', async () => {
    const wallet = newWallet();
    const { message } = await issue(wallet.address);
    const thief = newWallet();
    const changed = [
      message.replace(wallet.address, thief.address),
      message.replace(/Expiration Time: .*/, 'Expiration Time: 2999-01-01T00:00:00.000Z'),
      message.replace(DOMAIN, 'app.example.org'),
      message.replace('Chain ID: 100', 'Chain ID: 1'),
      `${message}\nRequest ID: 1`,
    ];
    for (const text of changed) {
      const signer = text.includes(thief.address) ? thief : wallet;
      const signature = await signer.signMessage({ message: text });
      await expect(clients.auth.signIn({ message: text, signature })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
  });

  it('rejects a text that is not an EIP-4361 message as invalid input', async () => {
    const wallet = newWallet();
    const { message } = await issue(wallet.address);
    for (const text of ['hello', message.replaceAll('\n', '\r\n'), message.slice(0, 60)]) {
      const signed = { message: text, signature: await wallet.signMessage({ message: text }) };
      await expect(clients.auth.signIn(signed)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        metadata: { violations: expect.stringContaining('"field":"message"') },
      });
    }
  });

  it('tells a user by an event and a mail of a sign-in on a device on which no wallet of theirs has signed in', async () => {
    const firefox = (version: number) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
    const { wallet, userId, email, ...registered } = await newUser(clients);
    let token = registered.userToken;
    const signInOn = async (userAgent: string, { by = wallet, uri = URI, domain = DOMAIN } = {}) => {
      const { message } = await issue(by.address, domain, uri);
      const { tokens } = await clients.auth.signIn({ message, signature: await by.signMessage({ message }), userAgent });
      if (domain === DOMAIN) token = tokens?.accessToken ?? '';
      return tokens?.refreshToken ?? '';
    };
    const published = async (type: string) =>
      ((await world.redis.xRange(streamOf('identity'), '-', '+')) ?? []).filter(
        ({ message }) => message['aggregateId'] === userId && message['type'] === type,
      ).length;
    let later = 0;
    /** Counts once a later event of the user is published: the events of a user keep their order. */
    const told = async () => {
      await clients.users.notifyCurrentUser({ noticeId: randomUUID(), kind: NoticeKind.LIMITS_RAISING, last4: '4242' }, as(token));
      later += 1;
      await expect.poll(() => published('user.card_limits_raising'), { timeout: 20_000 }).toBe(later);
      return published('user.signed_in_elsewhere');
    };
    const passQuietTime = () => world.clock.advanceSeconds(QUIET_MS / 1000);

    await signInOn('');
    expect(await told()).toBe(0);

    const refreshToken = await signInOn(firefox(131));
    expect(await told()).toBe(1);
    const mails = async () => (await clients.sandbox.listOutboxMessages({ to: email })).messages.map(({ text }) => text);
    await expect.poll(mails, { timeout: 20_000 }).toContainEqual(expect.stringContaining('on a device on which it had no session'));
    await signInOn('just after that');

    passQuietTime();
    await clients.auth.refreshSession({ refreshToken });
    await signInOn(firefox(132));
    // At another partner, the wallet is no user.
    await signInOn('curl/8.5.0', { uri: 'https://shop.example.com:8443/', domain: 'shop.example.com:8443' });
    const second = newWallet();
    await clients.wallets.addWallet(await proofToAdd(clients, token, second, wallet), as(token));
    await signInOn(firefox(132), { by: second });
    await clients.sessions.endCurrentSession({}, as(token));
    await signInOn(firefox(132), { by: second });
    await clients.sessions.endAllSessions({}, as(token));
    await signInOn(firefox(132));
    expect(await told()).toBe(1);

    const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
    await Promise.all([1, 2, 3].map(() => signInOn(phone)));
    await signInOn(phone);
    // At least one: those that sign in at the same time do not see each other. Two mails are better than none.
    const toldOfPhone = await told();
    expect(toldOfPhone).toBeGreaterThanOrEqual(2);
    expect(toldOfPhone).toBeLessThanOrEqual(4);

    world.clock.advanceSeconds(REFRESH_LIFE_MS / 1000 + 60);
    await signInOn(phone);
    expect(await told()).toBe(toldOfPhone);
  });

  it('keeps the 20 newest sessions of a wallet, also under concurrent sign-ins', async () => {
    const wallet = newWallet();
    const first = await signIn(clients, wallet);
    const elsewhere = await signIn(clients, wallet, 'shop.example.com:8443', 'https://shop.example.com:8443/');
    for (let batch = 0; batch < 3; batch += 1) await Promise.all(Array.from({ length: 10 }, () => signIn(clients, wallet)));
    const last = await signIn(clients, wallet);
    await expect(clients.sessions.listSessions({}, as(first.accessToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(clients.auth.refreshSession({ refreshToken: first.refreshToken })).rejects.toMatchObject({
      code: 'INVALID_REFRESH_TOKEN',
    });
    const { sessions } = await clients.sessions.listSessions({ page: { limit: 100, cursor: '' } }, as(last.accessToken));
    expect(sessions).toHaveLength(MAX_SESSIONS);
    expect(sessions[0]?.current).toBe(true);
    await expect(clients.sessions.listSessions({}, as(elsewhere.accessToken))).resolves.toBeDefined();
  });

  it('counts the sessions of each wallet when several sign in at once', async () => {
    const wallets = Array.from({ length: 3 }, newWallet);
    const few = newWallet();
    const oldest = await Promise.all([...wallets, few].map((wallet) => signIn(clients, wallet)));
    for (let count = 1; count < MAX_SESSIONS; count += 1) await Promise.all(wallets.map((wallet) => signIn(clients, wallet)));
    const list = ({ accessToken }: { accessToken: string }) =>
      clients.sessions.listSessions({ page: { limit: 100, cursor: '' } }, as(accessToken)).then(
        ({ sessions }) => sessions.length,
        ({ code }: { code: string }) => code,
      );
    expect(await Promise.all(oldest.map(list))).toEqual([MAX_SESSIONS, MAX_SESSIONS, MAX_SESSIONS, 1]);
    const newest = await Promise.all([...wallets, few].map((wallet) => signIn(clients, wallet)));
    expect(await Promise.all(oldest.map(list))).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED', 2]);
    expect(await Promise.all(newest.map(list))).toEqual([MAX_SESSIONS, MAX_SESSIONS, MAX_SESSIONS, 2]);
  });

  it('requires a message and a signature', async () => {
    await expect(clients.auth.signIn({ message: '', signature: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('signing keys', () => {
  it('are one key when several processes start first', async () => {
    const fresh = await createWorld();
    const apps = await Promise.all([fresh.start(), fresh.start(), fresh.start()]);
    const published = await Promise.all(apps.map(async (app) => (await fetch(`${app.url}/.well-known/jwks.json`)).json()));
    expect(published[0]).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }] });
    expect(published[1]).toEqual(published[0]);
    expect(published[2]).toEqual(published[0]);
    expect(JSON.stringify(published)).not.toContain('"d"');
    const { accessToken } = await signIn(fresh.clientsOf(apps[2]?.url ?? ''), newWallet());
    expect(published).toContainEqual({ keys: [expect.objectContaining({ kid: decodeProtectedHeader(accessToken).kid })] });
    // The key survives a restart, and needs the master key.
    const again = await (await fetch(`${(await fresh.start()).url}/.well-known/jwks.json`)).json();
    expect(again).toEqual(published[0]);
    const otherKey = { IDENTITY_MASTER_KEYS: JSON.stringify([{ id: '1', key: Buffer.alloc(32, 7).toString('base64url') }]) };
    await expect(fresh.start({}, otherKey)).rejects.toThrow('IDENTITY_MASTER_KEYS');
    await fresh.close();
  });
});
