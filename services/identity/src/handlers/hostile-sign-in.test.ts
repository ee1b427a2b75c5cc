import { malleated } from '@florin/evm/testing';
import { SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { createLogger } from '@florin/rpc/observe';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proofToAdd, removeApproved } from '../testing/wallets.ts';
import { as, type Clients, createWorld, DOMAIN, newUser, newWallet, signIn, type World } from '../testing/world.ts';

/** Lines of the log, and secrets that must not occur in them. */
const lines: string[] = [];
const secrets = new Set<string>();

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({
    PARTNERS: JSON.stringify([
      { id: 'florin', name: 'Florin', domains: ['app.example.org'] },
      { id: 'other', name: 'Other', domains: ['other.example.com'] },
    ]),
  });
  const logger = createLogger('identity', 'trace', { write: (line: string) => void lines.push(line) });
  clients = world.clientsOf((await world.start({ logger })).url);
});
afterAll(() => world.close());

const issue = async ({ address }: PrivateKeyAccount, purpose: SiwePurpose = SiwePurpose.SIGN_IN): Promise<string> => {
  const { message } = await clients.auth.createSiweMessage({ address, domain: DOMAIN, uri: `http://${DOMAIN}/`, purpose });
  secrets.add(/Nonce: (\w+)/.exec(message)?.[1] ?? '');
  return message;
};
const submit = async (message: string, signature: string) => {
  secrets.add(signature);
  return clients.auth.signIn({ message, signature });
};

const later = (message: string, field: string, ms: number) =>
  message.replace(new RegExp(`${field}: (.*)`), (_, time: string) => `${field}: ${new Date(Date.parse(time) + ms).toISOString()}`);

const HOUR = 3_600_000;

/** Changes to an issued message. The wallet itself signs each changed text. */
const changes: [string, (message: string) => string][] = [
  ['another partner’s domain', (message) => message.replace(DOMAIN, 'other.example.com')],
  ['an unknown domain', (message) => message.replace(DOMAIN, 'evil.example')],
  ['a scheme before the domain', (message) => `https://${message}`],
  ['another URI', (message) => message.replace(/URI: .*/, 'URI: https://evil.example/')],
  ['a longer path', (message) => message.replace(/URI: .*/, (line) => `${line}x`)],
  ['another version', (message) => message.replace('Version: 1', 'Version: 2')],
  ['another chain', (message) => message.replace('Chain ID: 100', 'Chain ID: 1')],
  ['the chain in hex', (message) => message.replace('Chain ID: 100', 'Chain ID: 0x64')],
  ['issued earlier', (message) => later(message, 'Issued At', -HOUR)],
  ['issued in the future', (message) => later(message, 'Issued At', HOUR)],
  ['a longer life', (message) => later(message, 'Expiration Time', HOUR)],
  ['no expiration time', (message) => message.replace(/\nExpiration Time: .*/, '')],
  ['an expiration time in the past', (message) => later(message, 'Expiration Time', -HOUR)],
  ['a not-before time in the past', (message) => `${message}\nNot Before: 2020-01-01T00:00:00.000Z`],
  ['a not-before time in the future', (message) => `${message}\nNot Before: 2099-01-01T00:00:00.000Z`],
  ['a request id', (message) => `${message}\nRequest ID: 1`],
  ['a resource', (message) => `${message}\nResources:\n- https://evil.example/`],
  ['another statement', (message) => message.replace(/Sign in to .*/, 'Sign in to everything.')],
  ['no statement', (message) => message.replace(/Sign in to .*\n\n/, '')],
  ['a repeated field', (message) => message.replace('Version: 1', 'Version: 1\nVersion: 1')],
  ['other line endings', (message) => message.replaceAll('\n', '\r\n')],
  ['an additional line', (message) => `${message}\n`],
  ['a byte order mark', (message) => `\u{feff}${message}`],
  ['an address in lower case', (message) => message.replace(/0x[0-9a-fA-F]{40}/, (text) => text.toLowerCase())],
  ['half of the text', (message) => message.slice(0, message.length / 2)],
  ['all but the last character', (message) => message.slice(0, -1)],
];

describe('a message that differs from the issued one', () => {
  it.each(changes)('is rejected with %s', async (_name, change) => {
    const wallet = newWallet();
    const message = await issue(wallet);
    const changed = change(message);
    expect(changed).not.toBe(message);
    const attempt = submit(changed, await wallet.signMessage({ message: changed }));
    await expect(attempt).rejects.toMatchObject({ code: expect.stringMatching(/^(?:INVALID_SIGNATURE|NONCE_EXPIRED|VALIDATION_FAILED)$/) });
    await submit(message, await wallet.signMessage({ message }));
  });

  it('is rejected with the nonce or the wallet of another issued message', async () => {
    const [mine, theirs] = [newWallet(), newWallet()];
    const [message, other] = [await issue(mine), await issue(theirs)];
    const nonceOf = (text: string) => /Nonce: (\w+)/.exec(text)?.[1] ?? '';
    const swapped = message.replace(nonceOf(message), nonceOf(other));
    await expect(submit(swapped, await mine.signMessage({ message: swapped }))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const renamed = other.replace(theirs.address, mine.address);
    await expect(submit(renamed, await mine.signMessage({ message: renamed }))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await expect(submit(other, await mine.signMessage({ message: other }))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it.each([
    ['message', { message: 'x'.repeat(8193), signature: '0xab' }],
    ['signature', { message: 'x', signature: `0x${'ab'.repeat(4097)}` }],
    ['message', { message: '', signature: '0xab' }],
  ])('is rejected with a %s of invalid length', async (_name, request) => {
    await expect(clients.auth.signIn(request)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('the log', () => {
  it('contains no token, signature, nonce or code, neither of the attempts above nor of a whole session', async () => {
    const { wallet, userToken, walletToken, refreshToken, otp, email } = await newUser(clients);
    const message = await issue(wallet);
    const signature = await wallet.signMessage({ message });
    await expect(submit(message, malleated(signature))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    secrets.add(malleated(signature));
    const refreshed = await clients.auth.refreshSession({ refreshToken });
    const other = newWallet();
    const proof = await proofToAdd(clients, userToken, other, wallet);
    await clients.wallets.addWallet(proof, as(userToken));
    const added = await signIn(clients, other);
    await removeApproved(clients, userToken, other.address, wallet);
    await clients.keys.rotateSigningKey({});
    await clients.sessions.endCurrentSession({}, as(userToken));
    await expect(clients.auth.refreshSession({ refreshToken })).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    for (const secret of [userToken, walletToken, refreshToken, refreshed.tokens?.refreshToken, added.accessToken, added.refreshToken]) {
      secrets.add(secret ?? '');
    }
    for (const secret of [proof.signature, proof.approval, otp, email]) secrets.add(secret);

    expect(lines.length).toBeGreaterThan(100);
    const log = lines.join('');
    expect(log).toContain('signing key rotated');
    secrets.delete('');
    expect(secrets.size).toBeGreaterThan(50);
    for (const secret of secrets) expect(log.includes(secret), secret).toBe(false);
    expect(log).not.toMatch(/wants you to sign in|eyJ[\w-]{20,}/);
  });
});
