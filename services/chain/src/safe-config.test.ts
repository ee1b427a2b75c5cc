import { ConfigError, loadConfig } from '@florin/rpc/config';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type ChainConfig, configShape } from './config.ts';
import { safeSettings } from './safe-config.ts';

const NAMES = [
  'CHAIN_RELAYER_KEY',
  'CHAIN_RELAYER_KEYS',
  'CHAIN_RELAYERS_LOST',
  'CHAIN_COSIGNER_KEY',
  'CHAIN_COSIGNER_KEYS',
  'CHAIN_COSIGNER_SAFES',
  'SAFE_DELAY_MODULE',
  'SAFE_DELAY_COOLDOWN_SECONDS',
  'SAFE_DELAY_EXPIRATION_SECONDS',
  'SAFE_INSPECTION_SECONDS',
  'SANDBOX',
  'ASSETS',
  'WITHDRAWAL_LIMITS',
  'CHAIN_MAX_TIP_GWEI',
  'WITHDRAWAL_MINIMUMS',
  'WITHDRAWALS_FREEZE_FROM',
  'WITHDRAWALS_PER_DAY',
  'WITHDRAWAL_RECIPIENT_COOLING_SECONDS',
  'CHAIN_REPLACE_AFTER_SECONDS',
  'CHAIN_MAX_FEE_GWEI',
  'CHAIN_COLLECTION',
  'CHAIN_COLLECTION_SECONDS',
] as const;
const shape = Object.fromEntries(NAMES.map((name) => [name, configShape[name]])) as z.ZodRawShape;

const settingsOf = (env: Record<string, string>) => safeSettings(loadConfig(shape, env) as ChainConfig);
const [relayer, cosigner] = [generatePrivateKey(), generatePrivateKey()];
const keys = { CHAIN_RELAYER_KEY: relayer, CHAIN_COSIGNER_KEY: cosigner };
const moduleAt = (address: string) => ({ SAFE_DELAY_MODULE: JSON.stringify({ address, codeHash: `0x${'ab'.repeat(32)}` }) });

describe('the configuration of Safes', () => {
  it('is complete with both keys, and absent without', () => {
    expect(settingsOf({})).toBeUndefined();
    expect(settingsOf(keys)?.delay).toMatchObject({ cooldownSeconds: 90_000, expirationSeconds: 111_600 });
  });

  it('limits withdrawals and new recipients outside the sandbox, unless it is told otherwise', () => {
    const unit = 10n ** 18n;
    const { limits, minimums, freezeFrom, ...rest } = settingsOf(keys)?.rules ?? expect.fail('it has keys');
    expect(freezeFrom).toEqual(minimums);
    expect([limits.get('EURe'), minimums.get('EURe')]).toEqual([10_000n * unit, unit]);
    expect(rest).toEqual({ perDay: 10, coolingMs: 86_400_000 });
    const own = { WITHDRAWAL_LIMITS: '{"EURe":"5"}', WITHDRAWAL_MINIMUMS: '{"EURe":"2"}', WITHDRAWALS_PER_DAY: '3' };
    const changed = settingsOf({ ...keys, ...own, WITHDRAWAL_RECIPIENT_COOLING_SECONDS: '60' })?.rules;
    expect(changed).toMatchObject({ perDay: 3, coolingMs: 60_000 });
    expect([changed?.limits.get('EURe'), changed?.limits.get('GBPe'), changed?.minimums.get('EURe')]).toEqual([5n, 10_000n * unit, 2n]);
    expect(settingsOf({ ...keys, SANDBOX: 'true' })?.rules).toEqual({
      limits: new Map(),
      minimums: new Map(),
      freezeFrom: new Map(),
      perDay: 1000,
      coolingMs: 0,
    });
  });

  it.each([
    ['one and several relayers', { ...keys, CHAIN_RELAYER_KEYS: generatePrivateKey() }],
    ['a relayer that is also lost', { ...keys, CHAIN_RELAYERS_LOST: privateKeyToAddress(relayer) }],
    ['a relayer twice', { CHAIN_RELAYER_KEYS: `${relayer},${relayer}`, CHAIN_COSIGNER_KEY: cosigner }],
    ['the relayer’s key alone', { CHAIN_RELAYER_KEY: relayer }],
    ['the cosigner’s key alone', { CHAIN_COSIGNER_KEY: cosigner }],
    ['one key for both', { CHAIN_RELAYER_KEY: relayer, CHAIN_COSIGNER_KEY: relayer }],
    ['one key for both, among others', { CHAIN_RELAYER_KEY: relayer, CHAIN_COSIGNER_KEYS: `${cosigner},${relayer}` }],
    ['a cosigner twice', { CHAIN_RELAYER_KEY: relayer, CHAIN_COSIGNER_KEYS: `${cosigner},${cosigner}` }],
    ['both variables for cosigners', { ...keys, CHAIN_COSIGNER_KEYS: generatePrivateKey() }],
    ['a list of keys one of which is none', { CHAIN_RELAYER_KEY: relayer, CHAIN_COSIGNER_KEYS: `${cosigner},` }],
    ['a key that is none', { ...keys, CHAIN_RELAYER_KEY: '0x12' }],
    // Modules that take forged signatures.
    ['Delay 1.1.0', { ...keys, ...moduleAt('0x01F8cabB808D7dE0dF4202D4B60C8310d2f1339b') }],
    ['the first Delay of Gnosis Pay', { ...keys, ...moduleAt('0x4a97e65188a950dd4b0f21f9b5434daee0bbf9f5') }],
    ['Roles 2.1.0', { ...keys, ...moduleAt('0x9646fDAD06d3e24444381f44362a3B0eB343D337') }],
    ['inspections that a request to leave can outrun', { ...keys, SAFE_INSPECTION_SECONDS: '45000' }],
    [
      'a way out that is shorter than the wait for the next limit',
      {
        ...keys,
        SAFE_DELAY_COOLDOWN_SECONDS: '89999',
        CHAIN_COLLECTION: JSON.stringify({ treasury: `0x${'ab'.repeat(20)}`, limits: { EURe: '1' } }),
      },
    ],
    ['a faulty module, also without keys', moduleAt('0x01F8cabB808D7dE0dF4202D4B60C8310d2f1339b')],
  ])('stops the start with %s', (_name, env) => {
    expect(() => settingsOf(env)).toThrow(ConfigError);
  });

  it('accepts several cosigners, and that of new Safes is the first', () => {
    const former = generatePrivateKey();
    const settings = settingsOf({ CHAIN_RELAYER_KEY: relayer, CHAIN_COSIGNER_KEYS: `${cosigner}, ${former}\n` });
    expect(settings?.cosigners.map(({ address }) => address)).toEqual([cosigner, former].map(privateKeyToAddress));
    expect(settingsOf(keys)?.cosigners.map(({ address }) => address)).toEqual([privateKeyToAddress(cosigner)]);
  });

  it('accepts several relayers in their order, and names of lost ones', () => {
    const [second, lost] = [generatePrivateKey(), privateKeyToAddress(generatePrivateKey())];
    const several = { CHAIN_RELAYER_KEYS: `${relayer}, ${second}\n`, CHAIN_RELAYERS_LOST: lost.toLowerCase() };
    const settings = settingsOf({ ...several, CHAIN_COSIGNER_KEY: cosigner });
    expect(settings?.relayers.map(({ address }) => address)).toEqual([relayer, second].map(privateKeyToAddress));
    expect(settings?.lostRelayers).toEqual([lost]);
  });

  it('accepts another module by address and code', () => {
    const address = '0x824175b945838d127c1ca83cbce11d8e44f6df01';
    expect(settingsOf({ ...keys, ...moduleAt(address) })?.delay.mastercopy.address.toLowerCase()).toBe(address);
  });
});
