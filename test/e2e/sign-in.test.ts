import { malleated } from '@florin/evm/testing';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newWallet, registerPerson, signIn, siweMessage, type Tokens } from '../support/story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

const submit = (message: string, signature: string) => platform.api.request('POST', '/auth/siwe', { body: { message, signature } });

describe('GET /auth/siwe/{address}', () => {
  it('issues an EIP-4361 message for the address and domain', async () => {
    const wallet = newWallet();
    const message = await siweMessage(platform.api, wallet.address);
    expect(message).toContain(`localhost:3000 wants you to sign in with your Ethereum account:\n${wallet.address}`);
    expect(message).toMatch(/\nVersion: 1\nChain ID: 100\nNonce: [A-Za-z0-9]{17,}\nIssued At: /);
  });

  it('rejects a domain of no partner, and a URI with another host', async () => {
    const { address } = newWallet();
    const requestMessage = (domain: string, uri: string) =>
      platform.api.request('GET', `/auth/siwe/${address}?${new URLSearchParams({ domain, uri })}`);
    expectCode(await requestMessage('evil.example', 'https://evil.example'), 403, 'DOMAIN_NOT_ALLOWED');
    expectValidation(await requestMessage('localhost:3000', 'https://evil.example'), 'uri');
  });

  it('rejects an invalid address and a missing domain', async () => {
    expectValidation(await platform.api.request('GET', '/auth/siwe/0x12?domain=localhost&uri=http://localhost'), 'address');
    expectValidation(await platform.api.request('GET', `/auth/siwe/${newWallet().address}`), 'domain');
  });
});

describe('POST /auth/siwe', () => {
  it('returns a wallet token before registration and a user token after it', async () => {
    const wallet = newWallet();
    const before = await signIn(platform.api, wallet);
    expect(before).toMatchObject({ refreshToken: expect.any(String) });
    // 15 minutes, rounded down because tokens have whole seconds.
    expect([899, 900]).toContain(before.expiresIn);
    expect(before).not.toHaveProperty('userId');
    const person = await registerPerson(platform.api, wallet);
    expect((await signIn(platform.api, wallet)).userId).toBe(person.userId);
  });

  it('issues tokens that verify against the published keys', async () => {
    const { accessToken } = await signIn(platform.api, newWallet());
    const jwks = await platform.api.as().auth.getPublishedKeys();
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    const { protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet({ keys: [...jwks.keys] }), {
      currentDate: platform.clock.now(),
    });
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: expect.any(String) });
  });

  it('accepts a message once, also for concurrent requests', async () => {
    const wallet = newWallet();
    const message = await siweMessage(platform.api, wallet.address);
    const signature = await wallet.signMessage({ message });
    const answers = await Promise.all([submit(message, signature), submit(message, signature)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectCode(await submit(message, signature), 401, 'NONCE_USED');
  });

  it('rejects an expired message', async () => {
    const wallet = newWallet();
    const message = await siweMessage(platform.api, wallet.address);
    platform.clock.advanceSeconds(601);
    expectCode(await submit(message, await wallet.signMessage({ message })), 401, 'NONCE_EXPIRED');
  });

  it('rejects signatures of other wallets, malleated signatures and changed messages', async () => {
    const wallet = newWallet();
    const message = await siweMessage(platform.api, wallet.address);
    expectCode(await submit(message, await newWallet().signMessage({ message })), 401, 'INVALID_SIGNATURE');
    const changed = message.replace('Chain ID: 100', 'Chain ID: 1');
    expectCode(await submit(changed, await wallet.signMessage({ message: changed })), 401, 'INVALID_SIGNATURE');
    expect(await submit('hello', await wallet.signMessage({ message: 'hello' }))).toMatchObject({
      status: 422,
      body: { kind: 'validation' },
    });

    const good = await wallet.signMessage({ message });
    expectCode(await submit(message, malleated(good)), 401, 'INVALID_SIGNATURE');
    expect((await submit(message, good)).status).toBe(200);
  });
});

describe('POST /auth/refresh', () => {
  const refresh = (refreshToken: string) => platform.api.request('POST', '/auth/refresh', { body: { refreshToken } });

  it('rotates the token, returns the same successor within the grace period, and revokes the session on later reuse', async () => {
    const { refreshToken } = await signIn(platform.api, newWallet());
    const first = await refresh(refreshToken);
    expect(first.status).toBe(200);
    const successor = (first.body as Tokens).refreshToken;
    expect(((await refresh(refreshToken)).body as Tokens).refreshToken).toBe(successor);
    platform.clock.advanceSeconds(11);
    expectCode(await refresh(refreshToken), 401, 'REFRESH_TOKEN_REUSED');
    expectCode(await refresh(successor), 401, 'INVALID_REFRESH_TOKEN');
  });

  it('returns one successor to concurrent requests', async () => {
    const { refreshToken } = await signIn(platform.api, newWallet());
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    const [one, two] = answers.map(({ body }) => (body as Tokens).refreshToken);
    expect(one).toBe(two);
    expect(one).not.toBe(refreshToken);
  });

  it('turns a wallet session into a user session after registration', async () => {
    const person = await registerPerson(platform.api);
    const answer = await refresh(person.refreshToken);
    expect(answer.body).toMatchObject({ userId: person.userId });
    expect(decodeJwt((answer.body as Tokens).accessToken)).toMatchObject({ uid: person.userId });
  });

  it('rejects malformed tokens', async () => {
    expectCode(await refresh('nonsense'), 401, 'INVALID_REFRESH_TOKEN');
  });
});
