import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSiweMessages } from './siwe-messages.ts';

const runtime = { now: () => new Date('2026-03-01T12:00:00Z'), randomBytes: (size: number) => new Uint8Array(randomBytes(size)) };
const [key, next] = [randomBytes(32), randomBytes(32)];
const messages = createSiweMessages({ keys: [key], runtime });
const issue = (from = messages) =>
  from.issue({
    purpose: 'sign_in',
    address: '0x52908400098527886e0f7030069857d2e4169ee7',
    domain: 'app.example.org',
    uri: 'https://app.example.org/login',
    chainId: 100,
    partnerName: 'Florin',
  }).message;

describe('the origin of a message', () => {
  it('is genuine for an issued one only, whichever byte is changed', () => {
    const message = issue();
    expect(messages.originOf(message)).toBe('genuine');
    fc.assert(
      fc.property(fc.nat(message.length - 1), fc.constantFrom('x', '0', '\n', ' ', ''), (at, character) => {
        const changed = message.slice(0, at) + character + message.slice(at + 1);
        expect(messages.originOf(changed) === 'genuine').toBe(changed === message);
      }),
      { numRuns: 1000 },
    );
  });

  it('is forged with the nonce of another message, and foreign with one of another form', () => {
    const nonceOf = (text: string) => /Nonce: (\w+)/.exec(text)?.[1] ?? '';
    const [one, two] = [issue(), issue()];
    expect(nonceOf(one)).not.toBe(nonceOf(two));
    const other = two.replace('/login', '/log-in').replace(nonceOf(two), nonceOf(one));
    expect(messages.originOf(other)).toBe('forged');
    for (const nonce of ['0123456789abcdef0123456789abcdef', nonceOf(one).toUpperCase(), `${nonceOf(one)}0`]) {
      expect(messages.originOf(one.replace(nonceOf(one), nonce))).toBe('foreign');
    }
    expect(messages.originOf('hello')).toBe('foreign');
  });

  it('is genuine while a key that proved it is configured', () => {
    const message = issue();
    const renewed = createSiweMessages({ keys: [next, key], runtime });
    expect(renewed.originOf(message)).toBe('genuine');
    expect(messages.originOf(issue(renewed))).toBe('forged');
    expect(createSiweMessages({ keys: [next], runtime }).originOf(message)).toBe('forged');
  });
});
