import { startRedisRelay, testEngines } from '@florin/data/testing';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { hashOf, newProofKey, type ProofKey, signProof, withProofs } from '../support/proofs.ts';
import { newWallet, registerPerson, registerWithToken, signIn, siweMessage } from '../support/story.ts';

const PUBLIC_URL = 'https://api.example.com/v1';

type Bound = { key: ProofKey; api: ApiClient; token: string; refreshToken: string };

let relay: Awaited<ReturnType<typeof startRedisRelay>>;
let platform: PlatformInProcess;
let ann: Bound;
let bob: Bound;

const apiOf = (key: ProofKey, api = platform.api): ApiClient => withProofs(api, key, { publicUrl: PUBLIC_URL, now: platform.clock.now });

const register = async (alg?: 'ES256' | 'EdDSA'): Promise<Bound> => {
  const key = await newProofKey(alg);
  const api = apiOf(key);
  return { key, api, ...(await registerPerson(api)) };
};

beforeAll(async () => {
  relay = await startRedisRelay(testEngines().redisUrl);
  platform = await startPlatformInProcess({ PUBLIC_URL: `https://other.example.com,${PUBLIC_URL}/` });
  [ann, bob] = [await register(), await register()];
});
afterAll(async () => {
  await platform?.close();
  await relay?.close();
});

const proofOf = ({ key, token }: Bound, changed: Parameters<typeof signProof>[2] = {}) =>
  signProof(key, { method: 'GET', url: `${PUBLIC_URL}/user`, now: platform.clock.now(), token }, changed);

/** `GET /user` with a token and a proof. */
const getUser = (token: string, proof?: string, { scheme = 'DPoP', api = platform.api } = {}) =>
  api.request('GET', '/user', { headers: { authorization: `${scheme} ${token}`, ...(proof === undefined ? {} : { dpop: proof }) } });

const refresh = (api: ApiClient, refreshToken: string) => api.request('POST', '/auth/refresh', { body: { refreshToken } });

const expectRejected = (answer: Answer, problem: string): void => {
  expectCode(answer, 401, 'INVALID_DPOP_PROOF');
  const challenge = `DPoP error="invalid_dpop_proof", error_description="${problem}", algs="ES256 EdDSA"`;
  expect(answer.headers.get('www-authenticate')).toBe(challenge);
};

const seconds = (offset: number): number => Math.floor(platform.clock.now().getTime() / 1000) + offset;

describe('a client with a key', () => {
  it.each(['ES256', 'EdDSA'] as const)('signs in, registers, calls and refreshes with %s, and every token is bound', async (alg) => {
    const key = await newProofKey(alg);
    const api = apiOf(key);
    const { accessToken, refreshToken } = await signIn(api, newWallet());
    const { token } = await registerWithToken(api, accessToken);
    expect((await api.request('GET', '/user', { token })).status).toBe(200);
    expect((await api.request('GET', '/account/transactions?limit=1', { token })).status).not.toBe(401);
    const next = (await refresh(api, refreshToken)).body as { accessToken: string };
    expect((await api.request('GET', '/user', { token: next.accessToken })).status).toBe(200);
    for (const one of [accessToken, token, next.accessToken]) expect(decodeJwt(one)['cnf']).toEqual({ jkt: key.jkt });
  });

  it('gets an event stream with a proof, and none without', async () => {
    const url = `${platform.url}/3ds/challenges/events`;
    const open = async (dpop?: string) => {
      const controller = new AbortController();
      const headers = { authorization: `DPoP ${ann.token}`, ...(dpop === undefined ? {} : { dpop }) };
      const { status } = await fetch(url, { headers, signal: controller.signal });
      controller.abort();
      return status;
    };
    const proof = await proofOf(ann, { claims: { htu: `${PUBLIC_URL}/3ds/challenges/events` } });
    expect([await open(), await open(proof), await open(proof)]).toEqual([401, 200, 401]);
  });

  it.each([
    ['HTTPS://API.example.com:443/v1/user', 200],
    ['https://api.example.com/v1/x/../%75ser?a=b#c', 200],
    ['https://other.example.com/user', 200],
    ['https://api.example.com/user', 401],
    ['http://api.example.com/v1/user', 401],
    ['https://api.example.com/v1/user/', 401],
    ['https://me@api.example.com/v1/user', 401],
    ['/v1/user', 401],
  ])('names the request by %s: %i', async (htu, status) => {
    expect((await getUser(ann.token, await proofOf(ann, { claims: { htu } }))).status).toBe(status);
  });

  it('names the request by its Host header where no URL is configured', async () => {
    const { url } = await platform.startGateway({ PUBLIC_URL: undefined });
    const api = createApiClient(url);
    expect((await getUser(ann.token, await proofOf(ann, { claims: { htu: `${url}/user` } }), { api })).status).toBe(200);
    expectRejected(await getUser(ann.token, await proofOf(ann), { api }), 'htu must be the URL of the request');
  });
});

const NOT_A_PROOF = 'the proof is not a signed proof with its public key';
const USED = 'the proof was used before';

describe('a proof is rejected', () => {
  it.each<[string, () => object, string]>([
    ['for another URL', () => ({ htu: `${PUBLIC_URL}/account` }), 'htu must be the URL of the request'],
    ['for another method', () => ({ htm: 'POST' }), 'htm must be the method of the request'],
    ['without ath', () => ({ ath: undefined }), 'ath must be the hash of the access token'],
    ['with the ath of another token', () => ({ ath: hashOf(bob.token) }), 'ath must be the hash of the access token'],
    ['older than 60 seconds', () => ({ iat: seconds(-62) }), 'iat must be within 60 seconds'],
    ['from the future', () => ({ iat: seconds(62) }), 'iat must be within 60 seconds'],
    ['without iat', () => ({ iat: undefined }), 'iat is missing or malformed'],
    ['with a short jti', () => ({ jti: '1234567' }), 'jti is missing or malformed'],
    ['with a long jti', () => ({ jti: 'j'.repeat(129) }), 'jti is missing or malformed'],
  ])('%s', async (_what, claims, problem) => {
    expectRejected(await getUser(ann.token, await proofOf(ann, { claims: claims() })), problem);
  });

  it('within 60 seconds it is accepted', async () => {
    for (const offset of [-58, 58]) {
      expect((await getUser(ann.token, await proofOf(ann, { claims: { iat: seconds(offset) } }))).status).toBe(200);
    }
  });

  it.each<[string, () => Promise<string | undefined> | string, string]>([
    ['that is missing', async () => undefined, 'the proof is missing'],
    ['that is no JWT', () => 'proof', NOT_A_PROOF],
    ['that is too long', () => proofOf(ann, { claims: { more: 'm'.repeat(4096) } }), 'the proof must have at most 4096 characters'],
    ['that is sent twice', async () => `${await proofOf(ann)}, ${await proofOf(ann)}`, NOT_A_PROOF],
    ['of another type', () => proofOf(ann, { header: { typ: 'JWT' } }), NOT_A_PROOF],
    ['without a key', () => proofOf(ann, { header: { jwk: undefined } }), NOT_A_PROOF],
    ['with the private key', () => proofOf(ann, { header: { jwk: ann.key.privateJwk } }), NOT_A_PROOF],
    ['with the algorithm none', async () => unsignedProof(await proofOf(ann)), NOT_A_PROOF],
    ['signed with HS256', async () => symmetricProof(), NOT_A_PROOF],
    ['by another key', () => proofOf({ ...ann, key: bob.key }), 'the token is bound to another key'],
    ["with another key's signature", () => proofOf({ ...ann, key: { ...bob.key, jwk: ann.key.jwk } }), NOT_A_PROOF],
    ['of another person', () => proofOf(bob), 'the token is bound to another key'],
  ])('%s', async (_what, proof, problem) => {
    expectRejected(await getUser(ann.token, await proof()), problem);
  });

  it('when it was used before, at any gateway', async () => {
    const another = createApiClient((await platform.startGateway()).url);
    const proof = await proofOf(ann);
    expect((await getUser(ann.token, proof)).status).toBe(200);
    expectRejected(await getUser(ann.token, proof), USED);
    expectRejected(await getUser(ann.token, proof, { api: another }), USED);
    expect((await getUser(ann.token, await proofOf(ann), { api: another })).status).toBe(200);
  });

  it('when it is used several times at once, but once', async () => {
    const proof = await proofOf(ann);
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await getUser(ann.token, proof)).status));
    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it('when it was used before, while Redis is unavailable', async () => {
    const api = createApiClient((await platform.startGateway({ REDIS_URL: relay.url })).url);
    await relay.cut();
    try {
      const proof = await proofOf(ann);
      expect((await getUser(ann.token, proof, { api })).status).toBe(200);
      expectRejected(await getUser(ann.token, proof, { api }), USED);
    } finally {
      await relay.restore();
    }
  });
});

/** The same claims and key with the algorithm none. */
const unsignedProof = (proof: string): string => {
  const header = { ...decodeProtectedHeader(proof), alg: 'none' };
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${proof.split('.')[1]}.`;
};

const symmetricProof = (): Promise<string> => {
  const jwk = { kty: 'oct', k: Buffer.alloc(32).toString('base64url') };
  return new SignJWT({ htm: 'GET', htu: `${PUBLIC_URL}/user`, iat: seconds(0), jti: 'symmetric', ath: hashOf(ann.token) })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256', jwk })
    .sign(new Uint8Array(32));
};

describe('a session that is not bound', () => {
  it('stays so, and rejects a proof at its refresh', async () => {
    const { refreshToken, token } = await registerPerson(platform.api);
    expectRejected(await refresh(ann.api, refreshToken), 'the session is bound to no key: send no proof');
    const { status, body } = await refresh(platform.api, refreshToken);
    expect([status, decodeJwt((body as { accessToken: string }).accessToken)['cnf']]).toEqual([200, undefined]);
    expect((await platform.api.request('GET', '/user', { token, headers: { dpop: 'ignored' } })).status).toBe(200);
  });

  it('has tokens that the scheme DPoP rejects', async () => {
    const { token } = await registerPerson(platform.api);
    const answer = await getUser(token, await proofOf({ ...ann, token }));
    expectCode(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_token", .*algs="ES256 EdDSA"$/);
  });
});

describe('POST /auth/siwe', () => {
  it('rejects an invalid proof before the message is used', async () => {
    const wallet = newWallet();
    const message = await siweMessage(platform.api, wallet.address);
    const body = { message, signature: await wallet.signMessage({ message }) };
    const post = (headers: Record<string, string>) => platform.api.request('POST', '/auth/siwe', { body, headers });
    expectRejected(await post({ dpop: 'proof' }), NOT_A_PROOF);
    expectRejected(await post({ dpop: await proofOf(ann) }), 'htm must be the method of the request');
    expect((await apiOf(ann.key).request('POST', '/auth/siwe', { body })).status).toBe(200);
  });
});

describe('a bound session', () => {
  it('does not accept its token as a bearer token, with or without a proof', async () => {
    expectRejected(await getUser(ann.token, undefined, { scheme: 'Bearer' }), 'a bound token must have the scheme DPoP');
    expectRejected(await getUser(ann.token, await proofOf(ann), { scheme: 'Bearer' }), 'a bound token must have the scheme DPoP');
  });

  it('is refreshed by its key only, and a refused refresh changes nothing', async () => {
    const { api, refreshToken } = await register();
    expectRejected(await refresh(platform.api, refreshToken), 'the session is bound to a key: send a proof by it');
    expectRejected(await refresh(bob.api, refreshToken), 'the proof is by another key than that of the session');
    const { body } = await refresh(api, refreshToken);
    const next = body as { accessToken: string; refreshToken: string };
    // Last, because the clock of the platform leaves that of its engines behind.
    platform.clock.advanceSeconds(11);
    // A used token without the key does not end the session either.
    expectRejected(await refresh(platform.api, refreshToken), 'the session is bound to a key: send a proof by it');
    expect((await refresh(api, next.refreshToken)).status).toBe(200);
    expectCode(await refresh(api, refreshToken), 401, 'REFRESH_TOKEN_REUSED');
  });
});
