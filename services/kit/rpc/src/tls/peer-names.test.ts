import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { dnsNames, peerNames } from './peer-names.ts';

describe('dnsNames', () => {
  it.each([
    ['DNS:card, DNS:card.florin.svc, IP Address:127.0.0.1', ['card', 'card.florin.svc']],
    ['', []],
    // One name that contains separators, as Node writes it.
    ['DNS:"x, DNS:ledger, DNS:y"', []],
    ['URI:"http://x/, DNS:ledger", DNS:card', ['card']],
    ['DNS:"a\\", DNS:ledger, DNS:\\"b", DNS:card', ['card']],
    ['IP Address:127.0.0.1, email:"a, DNS:ledger"@x', []],
  ])('reads %j', (text, names) => {
    expect([...dnsNames(text)]).toEqual(names);
  });
});

describe('peerNames', () => {
  it('is unknown without TLS only: a connection that is gone names no process', () => {
    expect(peerNames(new Socket())).toBeUndefined();
    expect(peerNames(undefined)).toEqual(new Set());
  });
});
