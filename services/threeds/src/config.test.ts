import { testEnvironment } from '@florin/data/testing';
import { openChainNodes } from '@florin/evm/chain';
import { ConfigError, loadConfig } from '@florin/rpc/config';
import { createTestAuthority } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { configShape } from './config.ts';

const authority = await createTestAuthority({ threeds: [] });
const load = (more: Record<string, string>) => {
  const urls = { IDENTITY_URL: 'http://identity', CARD_URL: 'http://card', LEDGER_URL: 'http://ledger' };
  return loadConfig(configShape, testEnvironment('threeds', authority, { ...urls, ...more }));
};

describe('nodes per chain', () => {
  const nodes = (urls: string[], more: Record<string, string>) =>
    openChainNodes(load({ CHAIN_RPC_URLS: JSON.stringify({ 100: urls }), ...more }), () => new Date());
  const [one, two] = ['https://one.example', 'https://two.example'];

  it('are two outside the sandbox unless one is allowed', () => {
    expect(() => nodes([one], { SANDBOX: 'false' })).toThrow(/^CHAIN_RPC_URLS: chain 100 must have 2 nodes/);
    expect(() => nodes([one], { SANDBOX: 'true' })).not.toThrow();
    expect(() => nodes([one], { SANDBOX: 'false', CHAIN_RPC_MIN_NODES: '1' })).not.toThrow();
    expect(() => nodes([one, two], { SANDBOX: 'false' })).not.toThrow();
    expect(() => nodes([one], { SANDBOX: 'true', CHAIN_RPC_MIN_NODES: '2' })).toThrow(/^CHAIN_RPC_URLS: /);
  });
});

describe('chain node configuration', () => {
  it('has no node by default, and one URL per chain', () => {
    expect(load({})).toMatchObject({ CHAIN_RPC_URLS: {}, CHAIN_RPC_TIMEOUT_MS: 2000, CHAIN_RPC_MAX_AGE_SECONDS: 60 });
    const urls = {
      '100': 'https://node.example/secret@key',
      '1': 'http://127.0.0.1:8545',
      '10': ['https://a.example', 'https://b.example'],
      '137': 'http://[::1]:8545',
    };
    expect(load({ CHAIN_RPC_URLS: JSON.stringify(urls) }).CHAIN_RPC_URLS).toEqual(urls);
  });

  it.each([
    ['text that is not JSON', 'http://node.example'],
    ['a list', '["https://node.example"]'],
    ['http to another host', '{"100":"http://node.example"}'],
    ['http to a host that only looks like loopback', '{"100":"http://127.0.0.1.example"}'],
    ['http in a list', '{"100":["https://node.example","http://node.example"]}'],
    ['an empty list of nodes', '{"100":[]}'],
    ['four nodes', '{"100":["https://a.example","https://b.example","https://c.example","https://d.example"]}'],
    ['the same node twice', '{"100":["https://a.example","https://a.example"]}'],
    ['two paths of one host', '{"100":["https://a.example/one","https://a.example:444/two"]}'],
    ['one host under two cases', '{"100":["https://a.example","https://A.example/"]}'],
    ['a key that is not a chain id', '{"gnosis":"https://node.example"}'],
    ['a chain id with a leading zero', '{"0100":"https://node.example"}'],
    ['a chain id in hex', '{"0x64":"https://node.example"}'],
    ['a value that is not a URL', '{"100":"node.example"}'],
    ['another scheme', '{"100":"ws://node.example"}'],
    ['a URL with a password', '{"100":"https://a:b@node.example"}'],
  ])('rejects %s, naming the variable', (_name, value) => {
    expect(() => load({ CHAIN_RPC_URLS: value })).toThrow(ConfigError);
    expect(() => load({ CHAIN_RPC_URLS: value })).toThrow(/^CHAIN_RPC_URLS: /);
  });

  it.each(['99', '2001', 'soon'])('rejects CHAIN_RPC_TIMEOUT_MS=%s', (value) => {
    expect(() => load({ CHAIN_RPC_TIMEOUT_MS: value })).toThrow(/^CHAIN_RPC_TIMEOUT_MS: /);
  });
});
