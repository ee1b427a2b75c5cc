import { describe, expect, it } from 'vitest';
import { requesterOf } from './requester.ts';

describe('requesterOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200'],
    ['2001:db8:1:201:ffff:ffff:ffff:ffff', '2001:db8:1:200'],
    ['2001:DB8:1:300::', '2001:db8:1:300'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', undefined],
    ['', undefined],
    ['unknown', undefined],
  ])('maps %j to %j', (ip, requester) => {
    expect(requesterOf(ip)).toBe(requester);
  });
});
