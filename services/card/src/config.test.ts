import { testEnvironment } from '@florin/data/testing';
import { ConfigError, loadConfig } from '@florin/rpc/config';
import { createTestAuthority } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { configShape } from './config.ts';

const authority = await createTestAuthority({ card: [] });
const { MONGODB_DATABASE: _own, ...environment } = testEnvironment('card', authority, {
  IDENTITY_URL: 'http://127.0.0.1:50051',
  LEDGER_URL: 'http://127.0.0.1:50053',
  THREEDS_URL: 'http://127.0.0.1:50054',
  VAULT_URL: 'http://127.0.0.1:50055',
});

describe('configuration', () => {
  it('requires only the addresses of other services', () => {
    expect(loadConfig(configShape, environment)).toMatchObject({
      MONGODB_DATABASE: 'florin_card',
      PHONE_VERIFICATION: 'off',
    });
  });

  it.each([
    ['VAULT_URL', undefined],
    ['IDENTITY_URL', 'ftp://x'],
    ['LEDGER_URL', undefined],
    ['PHONE_VERIFICATION', 'maybe'],
    ['PROCESSOR', 'marqeta'],
    ['PROCESSOR_TIMEOUT_MS', '0'],
  ])('rejects %s=%s, naming the variable', (name, value) => {
    expect(() => loadConfig(configShape, { ...environment, [name]: value })).toThrow(new RegExp(`^${name}: `));
  });

  it.each([
    ['{}', { daily: 1_000_000n }],
    ['{"limits":{"daily":"7"}}', { daily: 7n }],
    ['{"limits":{"daily":"7"},"accountLimits":{"weekly":"9"}}', { weekly: 9n }],
    ['{"accountLimits":{}}', {}],
  ])('limits accounts as cards, unless the program says otherwise: %s', (program, accountLimits) => {
    const config = loadConfig(configShape, { ...environment, CARD_PROGRAM: program });
    expect(config.CARD_PROGRAM.accountLimits).toEqual(program === '{}' ? config.CARD_PROGRAM.limits : accountLimits);
    expect(config.CARD_PROGRAM.accountLimits).toMatchObject(accountLimits);
  });

  it('rejects a start outside the sandbox without a card processor', async () => {
    const config = loadConfig(configShape, { ...environment, SANDBOX: 'false' });
    await expect(createApp(config)).rejects.toThrow(ConfigError);
  });
});
