import { describe, expect, it } from 'vitest';
import { FORBIDDEN_ADDRESSES, FORBIDDEN_URLS } from '../testing/forbidden-urls.ts';
import { addressRule, isPublicAddress, parseNetworks } from './public-address.ts';
import { parseWebhookUrl } from './webhook-url.ts';

describe('addresses of the public internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '168.63.129.17',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(FORBIDDEN_ADDRESSES)('of %s are none: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('may be joined by loopback in a sandbox only', () => {
    expect(addressRule(true)('127.0.0.1')).toBe(true);
    expect(addressRule(true)('::1')).toBe(true);
    expect(addressRule(true)('10.0.0.1')).toBe(false);
    expect(addressRule(true)('::ffff:127.0.0.1')).toBe(false);
    expect(addressRule(false)('127.0.0.1')).toBe(false);
  });
});

describe('the URL of an endpoint', () => {
  const check = (text: string, allowsLoopback = false) => parseWebhookUrl(text, { isAllowed: addressRule(allowsLoopback), allowsLoopback });

  it.each([
    ['https://hooks.acme.com/florin?x=1', 'https://hooks.acme.com/florin?x=1'],
    ['HTTPS://Hooks.Acme.com', 'https://hooks.acme.com/'],
    ['https://hooks.acme.com:8443/', 'https://hooks.acme.com:8443/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://bücher.de/', 'https://xn--bcher-kva.de/'],
  ])('may be %s', (text, expected) => {
    expect(check(text)).toBe(expected);
  });

  it.each(FORBIDDEN_URLS)('must not be %j', (text) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'WEBHOOK_URL_FORBIDDEN' }));
  });

  it('may be http to loopback in a sandbox only', () => {
    expect(check('http://127.0.0.1:3000/hook', true)).toBe('http://127.0.0.1:3000/hook');
    expect(check('http://localhost:3000/hook', true)).toBe('http://localhost:3000/hook');
    expect(check('http://[::1]:3000/', true)).toBe('http://[::1]:3000/');
    for (const text of ['http://10.0.0.1/', 'http://hooks.acme.com/', 'https://10.0.0.1/', 'http://user@localhost/']) {
      expect(() => check(text, true)).toThrow(expect.objectContaining({ code: 'WEBHOOK_URL_FORBIDDEN' }));
    }
  });
});

describe('networks that the operator denies', () => {
  const isAllowed = addressRule(true, parseNetworks(['8.8.8.0/24', '2a00:1450::/32', '127.0.0.2/32']));

  it.each(['8.8.8.8', '2a00:1450::1', '127.0.0.2', '10.0.0.1', '::ffff:8.8.8.8', ''])('forbid %j', (address) => {
    expect(isAllowed(address)).toBe(false);
  });

  it.each(['8.8.9.8', '2a00:1451::1', '127.0.0.1', '::1'])('allow %j', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  it.each(['8.8.8.8', '8.8.8.0/33', '8.8.8.0/', '2a00::/129', 'acme.com/24', '1.2.3.4/24/8', 'fe80::%eth0/64', '/0'])(
    'are not %j',
    (text) => {
      expect(parseNetworks(['8.8.8.0/24', text])).toBeUndefined();
    },
  );
});
