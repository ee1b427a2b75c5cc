import { describe, expect, it } from 'vitest';
import { ConfigError, portList, readConfig } from './config.ts';

const ROOT = '/checkout';

describe('the configuration of the launcher', () => {
  it('has a default for every value', () => {
    expect(readConfig({}, ROOT)).toEqual({
      dataDir: '/checkout/.florin',
      ports: {
        gateway: 8080,
        identity: 50051,
        card: 50052,
        ledger: 50053,
        threeds: 50054,
        vault: 50055,
        chain: 50056,
        events: 50057,
        webhooks: 50058,
        settlement: 50059,
        notifications: 50060,
        'back-office': 8090,
      },
      requestedPorts: [],
      mongodbPort: undefined,
      redisPort: undefined,
      sandbox: true,
      localChain: false,
      chainNodePort: undefined,
      tls: false,
      logLevel: 'info',
    });
  });

  it('reads every value from the environment and treats an empty one as not set', () => {
    const env = {
      PORT: '0',
      CARD_PORT: '7002',
      MONGODB_PORT: '7010',
      SANDBOX: 'off',
      FLORIN_TLS: 'true',
      LOG_LEVEL: '',
      FLORIN_DATA_DIR: 'data',
    };
    expect(readConfig(env, ROOT)).toMatchObject({
      dataDir: '/checkout/data',
      ports: { gateway: 0, card: 7002 },
      requestedPorts: ['gateway', 'card'],
      mongodbPort: 7010,
      sandbox: false,
      tls: true,
      logLevel: 'info',
    });
  });

  it.each([
    { PORT: 'http' },
    { IDENTITY_PORT: '70000' },
    { CARD_PORT: '-1' },
    { LEDGER_PORT: '1.5' },
    { THREEDS_PORT: '0x10' },
    { MONGODB_PORT: '99999' },
    { REDIS_PORT: 'x' },
    { SANDBOX: 'maybe' },
    { FLORIN_TLS: 'maybe' },
    { LOG_LEVEL: 'loud' },
    { CHAIN: 'gnosis' },
    { CHAIN_NODE_PORT: 'x' },
  ])('rejects %o and names the variable', (env) => {
    const [name] = Object.keys(env);
    expect(() => readConfig(env, ROOT)).toThrow(ConfigError);
    expect(() => readConfig(env, ROOT)).toThrow(new RegExp(`^${name} must be`));
  });

  it('has a chain of its own in the sandbox only, beside no other nodes and keys', () => {
    expect(readConfig({ CHAIN: 'local', CHAIN_NODE_PORT: '0' }, ROOT)).toMatchObject({ localChain: true, chainNodePort: 0 });
    for (const other of [
      { SANDBOX: 'false' },
      { CHAIN_RPC_URLS: '{}' },
      { CHAIN_RELAYER_KEY_FILE: 'key' },
      { CHAIN_COSIGNER_KEYS: '0x12' },
    ])
      expect(() => readConfig({ CHAIN: 'local', ...other }, ROOT)).toThrow(ConfigError);
  });

  it('rejects the same port for two processes', () => {
    expect(() => readConfig({ CARD_PORT: '50053' }, ROOT)).toThrow('CARD_PORT and LEDGER_PORT are both 50053: use different ports.');
    expect(() => readConfig({ CARD_PORT: '0', LEDGER_PORT: '0' }, ROOT)).not.toThrow();
  });

  it('lists fixed ports without those that are chosen at start', () => {
    const config = readConfig({ PORT: '0', REDIS_PORT: '6379' }, ROOT);
    expect(portList(config)).toEqual([
      { port: 50051, owner: 'identity', variable: 'IDENTITY_PORT' },
      { port: 50052, owner: 'card', variable: 'CARD_PORT' },
      { port: 50053, owner: 'ledger', variable: 'LEDGER_PORT' },
      { port: 50054, owner: 'threeds', variable: 'THREEDS_PORT' },
      { port: 50055, owner: 'vault', variable: 'VAULT_PORT' },
      { port: 50056, owner: 'chain', variable: 'CHAIN_PORT' },
      { port: 50057, owner: 'events', variable: 'EVENTS_PORT' },
      { port: 50058, owner: 'webhooks', variable: 'WEBHOOKS_PORT' },
      { port: 50059, owner: 'settlement', variable: 'SETTLEMENT_PORT' },
      { port: 50060, owner: 'notifications', variable: 'NOTIFICATIONS_PORT' },
      { port: 8090, owner: 'back-office', variable: 'BACK_OFFICE_PORT' },
      { port: 6379, owner: 'Redis', variable: 'REDIS_PORT' },
    ]);
  });
});
