import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../errors/index.ts';
import { passesLuhn, redact, redactText } from './redact.ts';

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));

const pan = fc.integer({ min: 12, max: 18 }).chain((length) =>
  digits(length)
    .filter((body) => /[1-9]/.test(body))
    .map((body) => body + [...'0123456789'].find((check) => passesLuhn(body + check))),
);

const token = fc
  .tuple(...[20, 30, 43].map((length) => fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: length, maxLength: length })))
  .map(([header, payload, signature]) => `eyJ${header}.${payload}.${signature}`);

/** Addresses with a slash are valid but not recognized. */
const email = fc.emailAddress().filter((address) => !address.includes('/'));
const phone = fc
  .integer({ min: 6, max: 14 })
  .chain(digits)
  .map((rest) => `+4${rest}`);

/** Text around a secret, without digits, which would make it another number. */
const around = fc.string({ unit: fc.constantFrom(...'abc XYZ=:,"\'\n()[]{}é'), maxLength: 20 });

describe('redactText', () => {
  it.each([
    ['card number', pan],
    ['card number in groups', pan.map((all) => all.replace(/(\d{4})(?=\d)/g, '$1 '))],
    ['card number with dashes', pan.map((all) => all.replace(/(\d{4})(?=\d)/g, '$1-'))],
    ['token', token],
    ['e-mail', email],
    ['phone', phone],
  ])('redacts every %s in any surrounding text', (_what, secret) => {
    fc.assert(
      fc.property(around, secret, around, (before, value, after) => {
        expect(redactText(`${before}${value}${after}`)).not.toContain(value);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['card 4111 1111 1111 1111 declined', 'card [pan] declined'],
    ['1 4111-1111-1111-1111 2', '1 [pan] 2'],
    ['pan4111111111111111x', 'pan[pan]x'],
    ['mail to jürgen@exämple.de now', 'mail to [email] now'],
    ["o'brien@example.com", '[email]'],
    ['redis://user:secret@host:6379', 'redis://user:[email]:6379'],
    ['user@localhost', '[email]'],
    ['call +49 151 12345678!', 'call [phone]!'],
    ['Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln', 'Bearer [token]'],
  ])('redacts %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  it.each([
    'amount 4111111111111112 is not a card number',
    'challenge 01890a5d-ac96-774b-bcce-b302099a8057 expired',
    'took 1234.5 ms at 2026-01-02T03:04:05.678Z',
    'at wrap (file:///srv/services/kit/rpc/src/server/implement.ts:42:15)',
    'at /srv/node_modules/@connectrpc/connect/dist/index.js:1:2',
    'user 00000000-0000-7000-8000-000000000001',
    'wallet 0x52908400098527886E0F7030069857D2E4169EE7',
  ])('keeps %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('truncates long text at a word boundary', () => {
    const text = redactText(`${'word '.repeat(2000)}`);
    expect(text.length).toBeLessThan(8300);
    expect(text).toMatch(/word \[cut\]$/);
    expect(redactText('4111111111111111'.padStart(8200, 'x ').slice(0, 8199))).not.toContain('4111');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(around, pan, token, email, phone), around, (secret, more) => {
        const once = redactText(`${secret} ${more}`);
        expect(redactText(once)).toBe(once);
      }),
    );
  });
});

describe('redact', () => {
  const SECRET = 'hunter2';

  it.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'password',
    'secret',
    'token',
    'accessToken',
    'access_token',
    'refreshToken',
    'refresh-token',
    'shareToken',
    'otp',
    'OTP',
    'code',
    'pan',
    'cvv',
    'cvc',
    'email',
    'phone',
    'to',
    'signature',
    'd',
    'Idempotency-Key',
    'VAULT_MASTER_KEYS',
    'IDENTITY_MASTER_KEYS',
    'FIELD_KEYS',
    'FIELD_HASH_KEY',
    'DECIDER_SECRET',
    'PROCESSOR_SECRET',
    'KYC_WEBHOOK_SECRET',
    'KYC_TOKEN',
    'KYT_TOKEN',
    'SMS_TOKEN',
    'LEDGER_HEAD_KEY',
    'cvv2',
    'pin',
    'SERVICE_KEY',
    'apiKey',
    'privateKey',
    'cardNumber',
    'phoneNumber',
  ])('redacts values under %s at any depth', (key) => {
    for (const value of [SECRET, 123_456, [SECRET], { deeper: SECRET }]) {
      const logged = JSON.stringify(redact({ list: [{ [key]: value }], [key]: value }));
      expect(logged).not.toContain(SECRET);
      expect(logged).not.toContain('123456');
    }
  });

  it('does not mistake a secret in capitals for an error code', () => {
    expect(redact({ password: 'LETMEIN', token: 'ABCDEF', code: '123456' })).toEqual({
      password: '[redacted]',
      token: '[redacted]',
      code: '[redacted]',
    });
  });

  it.each(Object.keys(ERRORS))('keeps the error code %s', (code) => {
    expect(redact({ code, error: code })).toEqual({ code, error: code });
  });

  it('redacts secrets anywhere in a value', () => {
    const secret = fc.oneof(pan, token, email, phone);
    fc.assert(
      fc.property(secret, (value) => {
        const { tree } = fc.letrec((tie) => ({
          tree: fc.oneof(
            { depthSize: 'small' },
            fc.constant(value),
            fc.array(tie('tree')),
            fc.dictionary(fc.constantFrom('a', 'name', value), tie('tree')),
          ),
        }));
        fc.assert(
          fc.property(tree, (logged) => {
            expect(JSON.stringify(redact(logged))).not.toContain(value);
          }),
          { numRuns: 10 },
        );
      }),
      { numRuns: 50 },
    );
  });

  it('redacts numeric card numbers, and keeps times and amounts', () => {
    expect(redact({ a: 4111111111111111, b: 4111111111111111n, c: 1767225600000, d2: 12.5, e: -1 })).toEqual({
      a: '[pan]',
      b: '[pan]',
      c: 1767225600000,
      d2: 12.5,
      e: -1,
    });
  });

  it('redacts errors, their causes and aggregated errors', () => {
    const cause = Object.assign(new Error('dup key: { _id: "a@b.example" }'), { code: 11_000, secretDetail: SECRET });
    const error = new AggregateError([new Error('4111111111111111')], 'for +4915112345678', { cause });
    const logged = JSON.stringify(redact({ err: error }));
    for (const leak of ['a@b.example', '4111111111111111', '+4915112345678', SECRET]) expect(logged).not.toContain(leak);
    expect(redact({ err: error })).toMatchObject({
      err: { message: 'for [phone]', cause: { code: 11_000, message: 'dup key: { _id: "[email]" }' }, errors: [{ message: '[pan]' }] },
    });
  });

  it('bounds depth and breadth, including circular structures', () => {
    const circle: Record<string, unknown> = { many: Array.from({ length: 1000 }, (_, index) => index) };
    circle['self'] = circle;
    const logged = redact(circle) as { many: unknown[] };
    expect(logged.many).toHaveLength(50);
    expect(JSON.stringify(logged)).toContain('[deep]');
    expect(redact(new Uint8Array(10))).toBe('[bytes]');
  });
});
