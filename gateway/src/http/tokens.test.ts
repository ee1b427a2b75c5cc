import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { USER_TOKEN_AUDIENCE, USER_TOKEN_ISSUER, USER_TOKEN_TYPE } from '@florin/rpc/auth';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../routes/index.ts';
import { CARD_ID, USER_ID, WALLET } from '../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

const own = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
const foreign = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
const publicJwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'EdDSA' };

const claims: JWTPayload = { sid: CARD_ID, pid: 'florin', uid: USER_ID, sub: WALLET, iss: USER_TOKEN_ISSUER, aud: USER_TOKEN_AUDIENCE };
const header: JWTHeaderParameters = { alg: 'EdDSA', kid: 'k1', typ: USER_TOKEN_TYPE };
const sign = (more: JWTPayload = {}, moreHeader: Partial<JWTHeaderParameters> = {}, key: Parameters<SignJWT['sign']>[0] = own.privateKey) =>
  new SignJWT({ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 900, ...claims, ...more })
    .setProtectedHeader({ ...header, ...moreHeader })
    .sign(key);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ userKeys: createLocalJWKSet({ keys: [publicJwk] }) });
});
afterAll(() => gateway.close());

/** Calls that requests have caused. On a slow machine the gateway renews its stream of challenges meanwhile. */
const callsOf = ({ fakes }: TestGateway) => fakes.calls.filter(({ rpc }) => rpc !== 'watchAllChallenges');

const forged: [string, () => string | undefined | Promise<string>][] = [
  ['no token', () => undefined],
  ['garbage', () => 'garbage'],
  ['three parts of garbage', () => 'a.b.c'],
  ['alg none', () => `${encode({ alg: 'none', typ: USER_TOKEN_TYPE })}.${encode({ ...claims, exp: 9_999_999_999, iat: 1 })}.`],
  ['alg none with a signature', () => `${encode({ alg: 'none', typ: USER_TOKEN_TYPE })}.${encode({ ...claims, exp: 9_999_999_999 })}.AA`],
  ['HS256 with the public key as secret', () => sign({}, { alg: 'HS256' }, Buffer.from(String(publicJwk.x), 'base64url'))],
  ['a foreign key', () => sign({}, {}, foreign.privateKey)],
  ['an unknown key id', () => sign({}, { kid: 'k2' })],
  ['an embedded key', async () => sign({}, { jwk: await exportJWK(foreign.publicKey), kid: 'k9' }, foreign.privateKey)],
  ['expired', () => sign({ exp: Math.floor(Date.now() / 1000) - 1 })],
  ['without an expiry', () => sign({ exp: undefined } as unknown as JWTPayload)],
  ['another audience', () => sign({ aud: 'ledger' })],
  ['another issuer', () => sign({ iss: 'another' })],
  ['another type', () => sign({}, { typ: 'JWT' })],
  ['a subject that is not a wallet', () => sign({ sub: 'root' })],
  ['a user id that is not a UUID', () => sign({ uid: '*' })],
  ['a service token', () => gateway.authority.serviceToken('gateway', 'card', [IDENTITY_SCOPES.signIn])],
  ['a service token for users', () => gateway.authority.serviceToken('gateway', USER_TOKEN_AUDIENCE, [])],
  [
    'a modified payload',
    async () => {
      const [head, , signature] = (await sign()).split('.');
      return `${head}.${encode({ ...claims, uid: CARD_ID, exp: 9_999_999_999, iat: 1 })}.${signature}`;
    },
  ],
  ['overlong', () => `${'a'.repeat(5000)}.b.c`],
];

describe('tokens', () => {
  it('accepts a valid token', async () => {
    expect(await gateway.ask('GET /cards', { token: await sign() })).toMatchObject({ status: 200 });
    gateway.fakes.reset();
  });

  it.each(forged)('rejects %s', async (_name, token) => {
    const sent = await token();
    const answer = await gateway.ask('GET /cards', { token: sent });
    expect(answer).toMatchObject({ status: 401, body: { success: false, error: 'UNAUTHORIZED' } });
    const challenge = sent === undefined ? /^Bearer$/ : /^Bearer error="invalid_token", error_description="[a-z ]+"$/;
    expect(answer.headers.get('www-authenticate')).toMatch(challenge);
    expect(callsOf(gateway)).toEqual([]);
  });

  it.each([
    ['Basic YTpi', 'Bearer'],
    ['Token a.b.c', 'Bearer'],
    ['Bearer', 'Bearer error="invalid_token", error_description="the token is malformed"'],
    ['bearer  x', 'Bearer error="invalid_token", error_description="the token is malformed"'],
  ])('rejects the header %s', async (authorization, challenge) => {
    const answer = await gateway.ask('GET /cards', { headers: { authorization } });
    expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  });

  it('accepts the scheme in any case and several spaces after it', async () => {
    const token = await sign();
    for (const authorization of [`bearer ${token}`, `Bearer   ${token}`]) {
      expect(await gateway.ask('GET /cards', { headers: { authorization } })).toMatchObject({ status: 200 });
    }
    gateway.fakes.reset();
  });

  it('tells an expired token from others', async () => {
    const token = await sign({ exp: Math.floor(Date.now() / 1000) - 1 });
    const answer = await gateway.ask('GET /cards', { token });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token", error_description="the token has expired"');
  });

  it('of the other kind are told from invalid ones', async () => {
    const person = await sign();
    const challenge = (answer: { headers: Headers }) => answer.headers.get('www-authenticate');
    const forPartners = await gateway.ask('GET /webhook-endpoints', { token: person });
    expect(forPartners).toMatchObject({ status: 403, body: { success: false, error: 'WRONG_TOKEN_KIND' } });
    expect(challenge(forPartners)).toBe('Bearer error="insufficient_scope", error_description="the operation needs a partner\'s token"');
    const forPersons = await gateway.ask('GET /cards', { token: gateway.partnerToken });
    expect(forPersons).toMatchObject({ status: 403, body: { success: false, error: 'WRONG_TOKEN_KIND' } });
    expect(challenge(forPersons)).toBe('Bearer error="insufficient_scope", error_description="the operation needs a person\'s token"');
    const expired = await sign({ exp: Math.floor(Date.now() / 1000) - 1 });
    const rejected = await gateway.ask('GET /webhook-endpoints', { token: expired });
    expect(rejected).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    expect(challenge(rejected)).toBe('Bearer error="invalid_token", error_description="the token has expired"');
    expect(callsOf(gateway)).toEqual([]);
  });

  it.each([
    ['sub', () => sign({ sub: 'root' })],
    ['exp', () => sign({ exp: undefined } as unknown as JWTPayload)],
    ['typ', () => sign({}, { typ: 'JWT' })],
  ])('name the claim that is wrong: %s', async (claim, token) => {
    const answer = await gateway.ask('GET /cards', { token: await token() });
    expect(answer.headers.get('www-authenticate')).toContain(`error_description="${claim} of the token is missing or wrong"`);
  });

  it('without the scope of an operation name it', async () => {
    const token = await gateway.authority.serviceToken('acme-server', 'events', []);
    const answer = await gateway.ask('GET /webhook-endpoints', { token });
    expect(answer).toMatchObject({ status: 403, body: { success: false, error: 'FORBIDDEN' } });
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", error_description="the scope webhooks.read is missing", scope="webhooks.read"',
    );
  });

  it('for another service name the audience as the problem', async () => {
    const token = await gateway.authority.serviceToken('acme-server', 'card', []);
    const answer = await gateway.ask('GET /webhook-endpoints', { token });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error_description="the audience of the token is another service"');
  });

  const target = ({ method, path }: (typeof allRoutes)[number]) => `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, CARD_ID)}`;

  it.each(allRoutes.filter(({ policy }) => policy !== 'public').map((route) => [target(route), route.policy]))(
    'are required by %s (%s)',
    async (path, policy) => {
      expect(await gateway.ask(path)).toMatchObject({ status: 401, body: { success: false, error: 'UNAUTHORIZED' } });
      if (policy !== 'user') return;
      const wallet = await sign({ uid: undefined } as unknown as JWTPayload);
      expect(await gateway.ask(path, { token: wallet })).toMatchObject({
        status: 403,
        body: { success: false, error: 'USER_NOT_REGISTERED' },
      });
      expect(callsOf(gateway)).toEqual([]);
    },
  );

  it('are not required by exactly the public operations', () => {
    const open = allRoutes.filter(({ policy }) => policy === 'public').map(({ operationId }) => operationId);
    expect(open.sort()).toEqual(
      [
        'createPartner',
        'createSiweMessage',
        'getCapabilities',
        'getLiveness',
        'getPublishedKeys',
        'getReadiness',
        'getReserves',
        'listAuditHeads',
        'listLedgerHeads',
        'listTerms',
        'listVaultKeys',
        'listWebhookKeys',
        'receiveKycEvent',
        'refreshSession',
        'sandboxCreatePartner',
        'sandboxListOutbox',
        'signIn',
      ].sort(),
    );
  });
});
