import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createLogger } from '@florin/rpc/observe';
import { testPort } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOidc } from './oidc.ts';

/** A provider that says what a test wants it to say. */
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
const CLIENT_ID = 'back-office';
const ANN = { sub: 'subject-of-ann', email: 'Ann@example.org', email_verified: true, name: 'Ann Analyst' };

let issuer: string;
let server: Server;
let idToken = '';
beforeAll(async () => {
  const port = await testPort();
  issuer = `http://127.0.0.1:${port}`;
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  server = createServer(({ url = '' }, response) => {
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': document,
      '/keys': { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] },
      '/token': { access_token: 'an access token', token_type: 'bearer', id_token: idToken },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[url]));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const tokenOf = (claims: object, { privateKey = key.privateKey, alg = 'RS256' }: { privateKey?: KeyObject; alg?: string } = {}): string => {
  const signed = `${encode({ alg, kid: 'k1' })}.${encode(claims)}`;
  return `${signed}.${alg === 'none' ? '' : sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
};

/** Comes back from the provider with an ID token. */
const finish = async (claims: object, signing?: Parameters<typeof tokenOf>[1], acrValues?: string) => {
  const settings = { issuer, clientId: CLIENT_ID, clientSecret: 'a secret', rolesClaim: undefined, acrValues };
  const oidc = createOidc(settings, 'http://localhost:8090');
  const { url, flow } = await oidc.begin();
  expect(new URL(url).searchParams.get('acr_values')).toBe(acrValues ?? null);
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
  const now = Math.floor(Date.now() / 1000);
  idToken = tokenOf(
    { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 300, auth_time: now, nonce: flow.nonce, ...ANN, ...claims },
    signing,
  );
  return oidc.finish(new URLSearchParams({ code: 'a code', state: flow.state }), flow);
};

describe('an ID token', () => {
  it('says who has signed in', async () => {
    const subject = `${issuer} subject-of-ann`;
    expect(await finish({})).toEqual({ subject, email: 'ann@example.org', name: 'Ann Analyst', roles: undefined });
  });

  it.each([
    ['for another client', { aud: 'another' }, {}],
    ['for several clients', { aud: [CLIENT_ID, 'another'] }, {}],
    ['of another issuer', { iss: 'https://id.example.org' }, {}],
    ['for another sign-in', { nonce: 'another' }, {}],
    ['that is over', { exp: 1 }, {}],
    ['of somebody who signed in at the provider long ago', { auth_time: Math.floor(Date.now() / 1000) - 600 }, {}],
    ['that does not say when somebody signed in', { auth_time: undefined }, {}],
    ['without a signature', {}, { alg: 'none' }],
    ['that somebody else has signed', {}, { privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }],
  ])('%s signs nobody in, and leaves no name in the log', async (_what, claims, signing) => {
    const error: unknown = await finish(claims, signing).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
    const lines: string[] = [];
    createLogger('back-office', 'info', { write: (line) => void lines.push(line) }).info({ err: error }, 'a sign-in failed');
    const logged = lines.join('');
    expect(logged).toContain('the OpenID provider has not signed anybody in');
    expect(logged).not.toMatch(/Ann|subject-of-ann|example\.org/);
  });

  it('signs in only who has signed in at the provider in a way that counts, where ways are named', async () => {
    const subject = `${issuer} subject-of-ann`;
    for (const acr of ['urn:two', 'three']) expect(await finish({ acr }, {}, 'urn:two three')).toMatchObject({ subject });
    for (const acr of [undefined, '', 'one', 'urn:two three', 'urn', ['urn:two'], 0])
      await expect(finish({ acr }, {}, 'urn:two three')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it.each([
    ['an address that the provider has not verified', { email_verified: false }, { email: undefined }],
    ['an address that is said to be verified in a word', { email_verified: 'true' }, { email: undefined }],
    ['several addresses', { email: ['ann@example.org'] }, { email: undefined }],
    ['an address with a letter that only looks like one', { email: '\u212aate@example.org' }, { email: undefined }],
    ['a name that turns what is around it', { name: 'Ann\u202e' }, { name: undefined }],
  ])('does not count for %s', async (_what, claims, expected) => {
    expect(await finish(claims)).toMatchObject(expected);
  });
});
