import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, importJWK, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { CodedError } from '../errors/index.ts';
import { createTestAuthority } from '../testing/index.ts';
import {
  createAuthenticator,
  createRemoteUserKeys,
  createRevokedSessions,
  createServiceTokenSource,
  createServiceTokenVerifier,
  createUserTokenVerifier,
  JWKS_PATH,
  type ServiceKey,
  serviceTrustSchema,
  signServiceToken,
} from './index.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const authority = await createTestAuthority({ card: ['ledger.accounts.read', 'identity.phone.verify'], threeds: ['card.cards.read'] });
const stranger = await createTestAuthority({ card: ['ledger.accounts.read'] });
const cardKey = authority.serviceKey('card');

const nowSeconds = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a token with the given header and payload. */
const sign = async (key: ServiceKey, header: Record<string, unknown>, payload: JWTPayload) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid: key.kid, ...header }).sign(await importJWK(key, 'EdDSA'));

/** Forgeries that libraries used to accept: no signature at all, and the public key used as an HMAC secret. */
const forgeries = (payload: JWTPayload, typ: string, key: ServiceKey): [string, string][] => {
  const body = base64url(payload);
  const none = `${base64url({ alg: 'none', kid: key.kid, typ })}.${body}`;
  const hs256 = `${base64url({ alg: 'HS256', kid: key.kid, typ })}.${body}`;
  const mac = (secret: string | Buffer) => createHmac('sha256', secret).update(hs256).digest('base64url');
  return [
    ['alg none without a signature', `${none}.`],
    ['alg none with a dummy signature', `${none}.c2ln`],
    ['HS256 with the public key as secret', `${hs256}.${mac(Buffer.from(key.x, 'base64url'))}`],
    ['HS256 with the public JWK as secret', `${hs256}.${mac(JSON.stringify({ ...key, d: undefined }))}`],
  ];
};

describe('service tokens', () => {
  const verify = createServiceTokenVerifier('ledger', authority.trust);
  const header = { typ: 'florin-service+jwt' };
  const claims = (more: JWTPayload = {}): JWTPayload => {
    const iat = nowSeconds();
    return { iss: 'card', sub: 'card', aud: 'ledger', iat, exp: iat + 300, scope: 'ledger.accounts.read', ...more };
  };
  const without = (name: string) => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));

  it('identify the caller and its scopes', async () => {
    const token = await signServiceToken({ key: cardKey, audience: 'ledger', scopes: ['ledger.accounts.read'] });
    expect(await verify(token)).toEqual({
      kind: 'service',
      name: 'card',
      scopes: new Set(['ledger.accounts.read']),
      expiresAt: new Date((decodeJwt(token).exp ?? 0) * 1000),
    });
    expect((await verify(await sign(cardKey, header, claims()))).name).toBe('card');
  });

  it('are accepted with either key of a client while one replaces the other', async () => {
    const next = { ...stranger.serviceKey('card'), kid: 'card' };
    const clients = authority.trust.clients.map((client) => (client.name === 'card' ? { ...client, overlapKey: next } : client));
    const overlapping = createServiceTokenVerifier('ledger', serviceTrustSchema.parse({ clients }));
    for (const key of [cardKey, next]) expect((await overlapping(await sign(key, header, claims()))).name).toBe('card');
    const third = { ...stranger.userSigningKey, kid: 'card' };
    await expect(overlapping(await sign(third, header, claims()))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    // The key of one client says nothing about another one.
    const impostor = sign({ ...next, kid: 'threeds' }, header, claims({ iss: 'threeds', sub: 'threeds' }));
    await expect(overlapping(await impostor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(verify(await sign(next, header, claims()))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    for (const late of [{ exp: nowSeconds() - 10, iat: nowSeconds() - 20 }, { aud: 'card' }])
      await expect(overlapping(await sign(next, header, claims(late)))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('may name their audience in a list of one, as some libraries do', async () => {
    expect((await verify(await sign(cardKey, header, claims({ aud: ['ledger'] })))).name).toBe('card');
  });

  it.each([
    ['wider than granted', 'ledger.accounts.read ledger.accounts.write', ['ledger.accounts.read']],
    ['of another client', 'card.cards.read', []],
    ['wildcards', '* admin', []],
    ['empty', '', []],
  ])('carry only scopes that the trust grants: %s', async (_what, scope, granted) => {
    expect([...(await verify(await sign(cardKey, header, claims({ scope })))).scopes]).toEqual(granted);
  });

  it.each<[string, () => string | Promise<string>]>([
    ...forgeries(claims(), 'florin-service+jwt', cardKey).map(([what, token]): [string, () => string] => [what, () => token]),
    ['the key of a stranger with the same name', () => sign(stranger.serviceKey('card'), header, claims())],
    ['the key of another client', () => sign({ ...authority.serviceKey('threeds'), kid: 'card' }, header, claims())],
    ['an unknown key', () => sign(cardKey, { ...header, kid: 'unknown' }, claims())],
    ['no key named', () => sign(cardKey, { ...header, kid: undefined }, claims({ iss: 'threeds', sub: 'threeds' }))],
    ['the issuer of another client', () => sign(cardKey, header, claims({ iss: 'threeds' }))],
    ['the subject of another client', () => sign(cardKey, header, claims({ sub: 'threeds' }))],
    ['another audience', () => sign(cardKey, header, claims({ aud: 'identity' }))],
    ['another type', () => sign(cardKey, { typ: 'at+jwt' }, claims())],
    ['no type', () => sign(cardKey, {}, claims())],
    ['an expiry in the past', () => sign(cardKey, header, claims({ iat: nowSeconds() - 100, exp: nowSeconds() - 10 }))],
    ['an issue time in the future', () => sign(cardKey, header, claims({ iat: nowSeconds() + 60, exp: nowSeconds() + 120 }))],
    ['an issue time too long ago', () => sign(cardKey, header, claims({ iat: nowSeconds() - 400, exp: nowSeconds() + 10 }))],
    ['a lifetime that is too long', () => sign(cardKey, header, claims({ exp: nowSeconds() + 3600 }))],
    ['scopes that are not a string', () => sign(cardKey, header, claims({ scope: ['ledger.accounts.read'] }))],
    ...['iss', 'sub', 'aud', 'exp', 'iat', 'scope'].map((name): [string, () => Promise<string>] => [
      `no ${name}`,
      () => sign(cardKey, header, without(name)),
    ]),
    [
      'a changed payload',
      async () => {
        const [head, , signature] = (await sign(cardKey, header, claims())).split('.');
        return `${head}.${base64url(claims({ scope: 'ledger.accounts.write' }))}.${signature}`;
      },
    ],
  ])('are rejected with %s', async (_what, token) => {
    await expect(verify(await token())).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: 'UNAUTHORIZED' });
  });

  it.each<[string, () => Promise<string>, object]>([
    ['bad_signature', () => sign(stranger.serviceKey('card'), header, claims()), {}],
    ['unknown_key', () => sign(cardKey, { ...header, kid: 'unknown' }, claims()), {}],
    ['wrong_audience', () => sign(cardKey, header, claims({ aud: 'identity' })), {}],
    ['wrong_audience', () => sign(cardKey, header, claims({ aud: ['ledger', 'identity'] })), {}],
    ['wrong_audience', () => sign(cardKey, header, claims({ aud: ['ledger', 'ledger'] })), {}],
    ['wrong_audience', () => sign(cardKey, header, claims({ aud: [] })), {}],
    ['expired', () => sign(cardKey, header, claims({ iat: nowSeconds() - 100, exp: nowSeconds() - 10 })), {}],
    ['expired', () => sign(cardKey, header, claims({ iat: nowSeconds() - 400, exp: nowSeconds() + 10 })), {}],
    ['invalid_claim', () => sign(cardKey, header, claims({ sub: 'threeds' })), { claim: 'sub' }],
    ['invalid_claim', () => sign(cardKey, header, claims({ iss: 'threeds' })), { claim: 'iss' }],
    ['invalid_claim', () => sign(cardKey, header, claims({ exp: nowSeconds() + 3600 })), { claim: 'exp' }],
    ['invalid_claim', () => sign(cardKey, header, without('aud')), { claim: 'aud' }],
    ['invalid_claim', () => sign(cardKey, header, without('scope')), { claim: 'scope' }],
    ['invalid_claim', () => sign(cardKey, { typ: 'JWT' }, claims()), { claim: 'typ' }],
    ['malformed', async () => 'a.b.c', {}],
  ])('are rejected with the reason %s', async (tokenProblem, token, more) => {
    await expect(verify(await token())).rejects.toMatchObject({ code: 'UNAUTHORIZED', metadata: { tokenProblem, ...more } });
  });

  it('reveal nothing about their claims to a forger', async () => {
    for (const payload of [claims({ exp: 1 }), claims({ aud: 'identity' }), without('scope')]) {
      const { metadata } = await verify(await sign(stranger.serviceKey('card'), header, payload)).then(
        () => ({ metadata: undefined }),
        (error: CodedError) => error,
      );
      expect(metadata).toEqual({ tokenProblem: 'bad_signature' });
    }
  });

  it('are not signed for an invalid lifetime', async () => {
    for (const expiresInSeconds of [0, -1, 301, 1.5]) {
      await expect(signServiceToken({ key: cardKey, audience: 'ledger', scopes: [], expiresInSeconds })).rejects.toThrow(RangeError);
    }
  });

  it('are reused', async () => {
    const source = createServiceTokenSource({ key: cardKey, audience: 'ledger', scopes: [] });
    const [one, two] = await Promise.all([source(), source()]);
    expect(one).toBe(two);
    expect(await source()).toBe(one);
  });
});

describe('user tokens', () => {
  const verify = createUserTokenVerifier(authority.userKeys, () => new Date());
  const header = { typ: 'at+jwt' };
  const session = '01890a5d-ac96-774b-bcce-b302099a8058';
  const claims = (more: JWTPayload = {}): JWTPayload => {
    const iat = nowSeconds();
    return { iss: 'florin-identity', aud: 'florin', sub: WALLET, sid: session, pid: 'florin', uid: USER_ID, iat, exp: iat + 900, ...more };
  };
  const { userSigningKey } = authority;
  const without = (name: string) => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));

  it('identify the wallet, and the user once it is registered', async () => {
    const caller = { kind: 'wallet', wallet: WALLET, sessionId: session, partnerId: 'florin', kid: userSigningKey.kid };
    const expected = (payload: JWTPayload) => ({ ...caller, expiresAt: new Date((payload.exp ?? 0) * 1000) });
    for (const [payload, more] of [
      [claims(), { userId: USER_ID }],
      [without('uid'), {}],
      [{ ...without('uid'), wep: 3 }, { walletEpoch: 3 }],
    ] as const) {
      expect(await verify(await sign(userSigningKey, header, payload))).toEqual({ ...expected(payload), ...more });
    }
  });

  it.each<[string, () => string | Promise<string>]>([
    ...forgeries(claims(), 'at+jwt', userSigningKey).map(([what, token]): [string, () => string] => [what, () => token]),
    ['the key of a stranger', () => sign({ ...stranger.userSigningKey, kid: userSigningKey.kid }, header, claims())],
    ['an unknown key', () => sign(userSigningKey, { ...header, kid: 'unknown' }, claims())],
    ['the key of a service', () => sign({ ...cardKey, kid: userSigningKey.kid }, header, claims())],
    ['another audience', () => sign(userSigningKey, header, claims({ aud: 'ledger' }))],
    ['another issuer', () => sign(userSigningKey, header, claims({ iss: 'https://login.example' }))],
    ['the type of a service token', () => sign(userSigningKey, { typ: 'florin-service+jwt' }, claims())],
    ['the type of an identity token', () => sign(userSigningKey, { typ: 'JWT' }, claims())],
    ['an expiry in the past', () => sign(userSigningKey, header, claims({ iat: nowSeconds() - 1000, exp: nowSeconds() - 1 }))],
    ['a validity that starts in the future', () => sign(userSigningKey, header, claims({ nbf: nowSeconds() + 60 }))],
    ['a subject that is not an address', () => sign(userSigningKey, header, claims({ sub: '0x1' }))],
    ['an invalid session id', () => sign(userSigningKey, header, claims({ sid: 'x' }))],
    ['an invalid user id', () => sign(userSigningKey, header, claims({ uid: 'admin' }))],
    ...['iss', 'aud', 'sub', 'sid', 'pid', 'exp', 'iat'].map((name): [string, () => Promise<string>] => [
      `no ${name}`,
      () => sign(userSigningKey, header, without(name)),
    ]),
  ])('are rejected with %s', async (_what, token) => {
    await expect(verify(await token())).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: 'UNAUTHORIZED' });
  });

  it('expire by the injected clock', async () => {
    const later = createUserTokenVerifier(authority.userKeys, () => new Date(Date.now() + 901_000));
    await expect(later(await sign(userSigningKey, header, claims()))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('are rejected with SERVICE_UNAVAILABLE while the keys cannot be fetched', async () => {
    const token = await sign(userSigningKey, header, claims());
    const unreachable = createUserTokenVerifier(createRemoteUserKeys('http://127.0.0.1:1'), () => new Date());
    await expect(unreachable(token)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    const broken = createServer((_request, response) => response.writeHead(503).end());
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const failing = createUserTokenVerifier(
      createRemoteUserKeys(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`),
      () => new Date(),
    );
    await expect(failing(token)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    broken.close();
  });

  it('are verified with the keys that identity publishes', async () => {
    const paths: (string | undefined)[] = [];
    const { d: _private, ...publicKey } = userSigningKey;
    const identity = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [publicKey] }));
    });
    await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
    const remote = createUserTokenVerifier(
      createRemoteUserKeys(`http://127.0.0.1:${(identity.address() as AddressInfo).port}`),
      () => new Date(),
    );
    for (let count = 0; count < 3; count += 1) expect((await remote(await sign(userSigningKey, header, claims()))).userId).toBe(USER_ID);
    expect(paths).toEqual([JWKS_PATH]);
    identity.close();
  });
});

describe('the Authorization header', () => {
  const revoked = createRevokedSessions({ now: () => 0 });
  revoked.heard();
  const authenticate = createAuthenticator({
    user: createUserTokenVerifier(authority.userKeys, () => new Date()),
    service: createServiceTokenVerifier('ledger', authority.trust),
    revoked,
  });

  it('accepts either kind of token', async () => {
    const user = await authority.userToken({ wallet: WALLET, userId: USER_ID });
    expect(await authenticate(`Bearer ${user}`)).toMatchObject({ kind: 'wallet', userId: USER_ID });
    expect(await authenticate(`bearer ${user}`)).toMatchObject({ kind: 'wallet' });
    const service = await authority.serviceToken('card', 'ledger', []);
    expect(await authenticate(`Bearer ${service}`)).toMatchObject({ kind: 'service', name: 'card' });
  });

  it.each([
    undefined,
    null,
    '',
    'Bearer',
    'Bearer ',
    'Bearer a',
    'Bearer a.b',
    'Bearer a.b.c.d',
    'Basic dXNlcjpwdw==',
    'a.b.c',
    'Bearer a.b.c ',
    `Bearer a.${'b'.repeat(5000)}.c`,
  ])('is rejected when it is %j', async (value) => {
    await expect(authenticate(value)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is rejected once its session is revoked, even if the token is cached', async () => {
    const sessionId = randomUUID();
    const [one, two] = [await authority.userToken({ wallet: WALLET, sessionId }), await authority.userToken({ wallet: WALLET, sessionId })];
    expect(await authenticate(`Bearer ${one}`)).toMatchObject({ sessionId });
    revoked.add([sessionId]);
    for (const token of [one, two]) await expect(authenticate(`Bearer ${token}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await authenticate(`Bearer ${await authority.userToken({ wallet: WALLET })}`)).toMatchObject({ kind: 'wallet' });
  });

  it('accepts only users where there is no service verifier', async () => {
    const usersOnly = createAuthenticator({ user: createUserTokenVerifier(authority.userKeys, () => new Date()), revoked });
    await expect(usersOnly(`Bearer ${await authority.serviceToken('card', 'ledger', [])}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
