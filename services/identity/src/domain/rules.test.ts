import { malleated, withV } from '@florin/evm/testing';
import fc from 'fast-check';
import { hashMessage } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { emailKeyOf, emailOf } from './email.ts';
import { isSignedBy } from './eoa-signature.ts';
import { partnerOfDomain, partnersSchema } from './partners.ts';
import { judgeRefresh } from './refresh-rules.ts';
import { isForPurpose, isUriOfDomain, isValidAt, readSiweMessage, writeSiweMessage } from './siwe-message.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('judgeRefresh', () => {
  const session = { generation: 3, rotatedAt: NOW, expiresAt: later(60_000) };
  it.each([
    ['the newest', session, 3, 5_000, 'rotate'],
    ['a later one', session, 4, 0, 'invalid'],
    ['the previous one within the grace period', session, 2, 10_000, 'repeat'],
    ['the previous one after the grace period', session, 2, 10_001, 'reused'],
    ['an older one within the grace period', session, 1, 0, 'reused'],
    ['the newest of an expired session', session, 3, 60_000, 'invalid'],
    ['a rotated one of an expired session', session, 1, 60_000, 'invalid'],
    ['the newest of a revoked session', { ...session, revokedAt: NOW }, 3, 0, 'invalid'],
    ['the previous one of a revoked session', { ...session, revokedAt: NOW }, 2, 0, 'invalid'],
    ['the first of a fresh session', { generation: 0, expiresAt: later(1) }, 0, 0, 'rotate'],
  ] as const)('%s', (_what, state, generation, ms, verdict) => {
    expect(judgeRefresh(state, generation, later(ms))).toBe(verdict);
  });
});

describe('partners', () => {
  const partners = partnersSchema.parse([
    { id: 'a', name: 'A', domains: ['App.Example.org', 'shop.example.com:8443'] },
    { id: 'b', name: 'B', domains: ['localhost:5173'] },
  ]);
  it.each([
    ['app.example.org', true, 'a'],
    ['app.example.org:443', true, undefined],
    ['shop.example.com:8443', false, 'a'],
    ['localhost:3000', true, 'a'],
    ['localhost', true, 'a'],
    ['127.0.0.1:80', true, 'a'],
    ['localhost:5173', true, 'b'],
    ['localhost:3000', false, undefined],
    ['localhost:5173', false, 'b'],
    ['localhost.example.org', true, undefined],
    ['127.0.0.10', true, undefined],
    ['', true, undefined],
  ])('%s (sandbox %s) belongs to %s', (domain, sandbox, id) => {
    expect(partnerOfDomain(partners, domain, sandbox)?.id).toBe(id);
  });

  it.each([
    ['no partner', []],
    ['a bad id', [{ id: 'A B', name: 'A' }]],
    ['a name that breaks the line', [{ id: 'a', name: 'A\nB' }]],
    ['a URL as domain', [{ id: 'a', name: 'A', domains: ['https://a.example.org'] }]],
    [
      'one id twice',
      [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
    ],
    [
      'one domain twice',
      [
        { id: 'a', name: 'A', domains: ['a.org'] },
        { id: 'b', name: 'B', domains: ['A.org'] },
      ],
    ],
  ])('rejects %s', (_what, value) => {
    expect(partnersSchema.safeParse(value).success).toBe(false);
  });
});

describe('sign-in messages', () => {
  const fields = {
    purpose: 'sign_in',
    address: '0x52908400098527886e0f7030069857d2e4169ee7',
    domain: 'app.example.org',
    uri: 'https://app.example.org/login',
    chainId: 100,
    nonce: '0123456789abcdef0123456789abcdef',
    partnerName: 'Florin',
    issuedAt: NOW,
  } as const;

  it('have the form of EIP-4361', () => {
    expect(writeSiweMessage(fields).message).toBe(
      [
        'app.example.org wants you to sign in with your Ethereum account:',
        '0x52908400098527886E0F7030069857D2E4169EE7',
        '',
        'Sign in to Florin.',
        '',
        'URI: https://app.example.org/login',
        'Version: 1',
        'Chain ID: 100',
        'Nonce: 0123456789abcdef0123456789abcdef',
        'Issued At: 2026-03-01T12:00:00.000Z',
        'Expiration Time: 2026-03-01T12:10:00.000Z',
      ].join('\n'),
    );
  });

  it('state their purpose', () => {
    const statement = 'Add this wallet to my Florin account. It will be able to sign in and to approve payments.';
    expect(writeSiweMessage({ ...fields, purpose: 'add_wallet' }).message.split('\n')[3]).toBe(statement);
  });

  it('allow what their statement says, until they expire, and no message is valid for longer than ten minutes', () => {
    const { message, expiresAt } = writeSiweMessage(fields);
    const [presented, longer] = [message, message.replace('12:10:00.000Z', '12:10:00.001Z')].map(readSiweMessage);
    if (presented === undefined || longer === undefined) throw new Error('the messages cannot be read');
    expect(isForPurpose(presented, 'sign_in', 'Florin')).toBe(true);
    expect(isForPurpose(presented, 'add_wallet', 'Florin')).toBe(false);
    expect(isForPurpose(presented, 'sign_in', 'Other')).toBe(false);
    expect(isValidAt(presented, NOW)).toBe(true);
    expect(isValidAt(presented, expiresAt)).toBe(false);
    expect(isValidAt(longer, NOW)).toBe(false);
  });

  it('are parsed again, if they have a statement and times', () => {
    const { message, expiresAt } = writeSiweMessage(fields);
    const presented = readSiweMessage(message);
    expect(presented).toEqual({
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      domain: fields.domain,
      nonce: fields.nonce,
      statement: 'Sign in to Florin.',
      issuedAt: NOW,
      expiresAt,
    });
    for (const line of [/Sign in to .*\n\n/, /\nIssued At: .*/, /\nExpiration Time: .*/]) {
      expect(readSiweMessage(message.replace(line, ''))).toBeUndefined();
    }
    expect(readSiweMessage('hello')).toBeUndefined();
  });

  it.each([
    ['https://app.example.org', 'app.example.org', true],
    ['https://app.example.org:443/x', 'app.example.org', true],
    ['http://localhost:3000/login?next=/a', 'localhost:3000', true],
    ['http://localhost:80/', 'localhost:80', true],
    ['https://app.example.org:8443/', 'app.example.org', false],
    ['https://app.example.org.evil.net/', 'app.example.org', false],
    ['https://app.example.org@evil.net/', 'app.example.org', false],
    ['https://evil.net#app.example.org', 'app.example.org', false],
    ['https://user@app.example.org/', 'app.example.org', false],
    ['https://app.exa\nmple.org/', 'app.example.org', false],
    ['ftp://app.example.org/', 'app.example.org', false],
    ['//app.example.org/', 'app.example.org', false],
    ['', 'app.example.org', false],
  ])('%j on %s: %s', (uri, domain, expected) => {
    expect(isUriOfDomain(uri, domain)).toBe(expected);
  });
});

describe('signatures', () => {
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);

  it('are accepted in canonical form, from the signer, over the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (message) => {
        const signature = await account.signMessage({ message });
        expect(await isSignedBy(account.address, hashMessage(message), signature)).toBe(true);
        expect(await isSignedBy(account.address, hashMessage(`${message}.`), signature)).toBe(false);
        expect(await isSignedBy('0x52908400098527886E0F7030069857D2E4169EE7', hashMessage(message), signature)).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  it('are rejected in any other form', async () => {
    const signature = await account.signMessage({ message: 'hello' });
    expect(await isSignedBy(account.address, hashMessage('hello'), malleated(signature))).toBe(false);
    expect(await isSignedBy(account.address, hashMessage('hello'), withV(signature, 0))).toBe(false);
    expect(await isSignedBy(account.address, hashMessage('hello'), signature.slice(0, 130))).toBe(false);
  });
});

describe('e-mail addresses', () => {
  it.each([
    [' Person@Example.ORG ', 'person@example.org'],
    ['first.last+tag@example.org', 'first.last+tag@example.org'],
    ['Me@XN--Bcher-KVA.example', 'me@xn--bcher-kva.example'],
  ])('%j has the key %s', (typed, key) => {
    expect(emailKeyOf(emailOf(typed) ?? '')).toBe(key);
  });

  it('have one key for both spellings of an internationalized domain', () => {
    expect(emailKeyOf('me@B\u00DCCHER.example')).toBe(emailKeyOf('me@xn--bcher-kva.example'));
    expect(emailKeyOf('me@bu\u0308cher.example')).toBe(emailKeyOf('me@xn--bcher-kva.example'));
  });

  it('have at most 254 characters', () => {
    const domain = `${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example.org`;
    const address = (length: number) => `${'x'.repeat(length - domain.length - 1)}@${domain}`;
    expect(emailOf(address(254))).toBeDefined();
    expect(emailOf(address(255))).toBeUndefined();
  });
});
