import { testEnvironment } from '@florin/data/testing';
import { ConfigError, loadConfig } from '@florin/rpc/config';
import { createTestAuthority } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { configShape } from './config.ts';
import { programOf } from './program-config.ts';

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
    const { accountLimits: given, limits } = programOf(loadConfig(configShape, { ...environment, SANDBOX: 'true', CARD_PROGRAM: program }));
    expect(given).toEqual(program === '{}' ? limits : accountLimits);
    expect(given).toMatchObject(accountLimits);
  });

  it.each([
    ['true', '{}', 100],
    ['false', '{"authenticationFrom":"never"}', 0],
    ['false', '{"authenticationFrom":"never","provisionalCreditPercent":40}', 40],
  ])('credits disputes provisionally by default in the sandbox only: SANDBOX=%s %s', (SANDBOX, CARD_PROGRAM, percent) => {
    expect(programOf(loadConfig(configShape, { ...environment, SANDBOX, CARD_PROGRAM })).provisionalCreditPercent).toBe(percent);
  });

  it('limits the cash that is paid out with one payment', () => {
    expect(programOf(loadConfig(configShape, { ...environment, SANDBOX: 'true' })).cashBackLimit).toBe(10_000n);
  });

  const ofRts = { remote: { payments: 5, amount: 10_000n }, contactless: { payments: 5, amount: 15_000n, perPayment: 5000n } };
  it.each([
    ['{"authenticationFrom":"3000"}', 3000n, ofRts],
    ['{"authenticationFrom":"0","unauthenticated":{"remote":{"payments":2}}}', 0n, { remote: { payments: 2 } }],
    ['{"authenticationFrom":"never"}', undefined, {}],
    ['{"authenticationFrom":"never","unauthenticated":{"contactless":{"amount":"1"}}}', undefined, { contactless: { amount: 1n } }],
  ])('states from when on payments need an authentication: %s', (program, authenticationFrom, unauthenticated) => {
    const config = loadConfig(configShape, { ...environment, SANDBOX: 'false', CARD_PROGRAM: program });
    const given = programOf(config);
    expect([given.authenticationFrom, given.unauthenticated]).toEqual([authenticationFrom, unauthenticated]);
  });

  it.each(['{}', '{"limits":{}}'])('does not start outside the sandbox while that is not stated: %s', async (program) => {
    const config = loadConfig(configShape, { ...environment, SANDBOX: 'false', CARD_PROGRAM: program });
    await expect(createApp(config)).rejects.toThrow('CARD_PROGRAM: authenticationFrom is required with SANDBOX=false');
  });

  it.each([
    ['{"limit":{}}', 'CARD_PROGRAM: limit: is unknown, did you mean limits?'],
    ['{"limits":{"dayly":"1"}}', 'CARD_PROGRAM: dayly: is unknown, did you mean daily?'],
  ])('names the member that a misspelt one of the program means: %s', (program, problem) => {
    expect(() => loadConfig(configShape, { ...environment, SANDBOX: 'true', CARD_PROGRAM: program })).toThrow(problem);
  });

  it('rejects a start outside the sandbox without a card processor', async () => {
    const config = loadConfig(configShape, { ...environment, SANDBOX: 'false', CARD_PROGRAM: '{"authenticationFrom":"never"}' });
    await expect(createApp(config)).rejects.toThrow(ConfigError);
  });
});
