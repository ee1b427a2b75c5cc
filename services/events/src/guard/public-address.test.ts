import { describe, expect, it } from 'vitest';
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

  it.each([
    ['this network', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['metadata of clouds', '169.254.169.254'],
    ['metadata of clouds', '100.100.100.200'],
    ['metadata of clouds', '168.63.129.16'],
    ['metadata of clouds', 'fd00:ec2::254'],
    ['protocol assignments', '192.0.0.170'],
    ['documentation', '203.0.113.9'],
    ['benchmarks', '198.19.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['mapped IPv4', '::ffff:127.0.0.1'],
    ['mapped IPv4', '::ffff:10.0.0.1'],
    ['mapped IPv4, public', '::ffff:8.8.8.8'],
    ['mapped IPv4 in hex', '::ffff:7f00:1'],
    ['compatible IPv4', '::127.0.0.1'],
    ['translated IPv4', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['6to4', '2002:a00:1::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fdff::1'],
    ['link-local', 'fe80::1'],
    ['link-local with zone', 'fe80::1%eth0'],
    ['public with zone', '2606:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['not an address', 'localhost'],
    ['not an address', '2130706433'],
    ['not an address', '0x7f.1'],
    ['not an address', ''],
  ])('of %s are none: %s', (_what, address) => {
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

  it.each([
    '',
    'hooks.acme.com',
    '/relative',
    'http://hooks.acme.com/',
    'ftp://hooks.acme.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'unix:/var/run/docker.sock',
    'https://user@hooks.acme.com/',
    'https://user:password@hooks.acme.com/',
    'https://hooks.acme.com/#fragment',
    'https://hooks.acme.com/#',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://localhost../',
    'https://hooks..acme.com/',
    'https://gateway.florin.svc/',
    'https://sub.localhost/',
    'https://gateway/',
    'https://gateway.florin.svc.cluster.local/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://①②⑦.0.0.1/',
    `https://hooks.acme.com/${'x'.repeat(2000)}`,
  ])('must not be %j', (text) => {
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
