import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestAuthority } from '../testing/index.ts';
import { ConfigError, type Environment, flag, httpUrl, json, loadConfig, masterKey, port, seconds, serviceShape } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'florin-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const file = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const problemsOf = (shape: z.ZodRawShape, env: Environment): string => {
  try {
    loadConfig(shape, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('the configuration is valid');
};

const SHAPE = {
  PORT: port,
  URL: httpUrl,
  KEY: masterKey,
  ON: flag.default(false),
  LIFE: seconds.default(60),
  JSON: json(z.object({ a: z.number() })),
};
const GOOD = { PORT: '8080', URL: 'http://x:1', KEY: Buffer.alloc(32).toString('base64url'), JSON: '{"a":1}' };

describe('loadConfig', () => {
  it('reads, converts and applies defaults', () => {
    expect(loadConfig(SHAPE, { ...GOOD, ON: 'true', ELSE: 'ignored' })).toEqual({
      PORT: 8080,
      URL: 'http://x:1',
      KEY: new Uint8Array(32),
      ON: true,
      LIFE: 60,
      JSON: { a: 1 },
    });
  });

  it('treats an empty value as not set', () => {
    expect(loadConfig(SHAPE, { ...GOOD, LIFE: '' }).LIFE).toBe(60);
    expect(problemsOf(SHAPE, { ...GOOD, PORT: '' })).toBe('PORT: is required');
  });

  it('reads a value from the file named by <NAME>_FILE unless the value itself is set', () => {
    const env = { ...GOOD, PORT: undefined, PORT_FILE: file('port', '9090\n') };
    expect(loadConfig(SHAPE, env).PORT).toBe(9090);
    expect(loadConfig(SHAPE, { ...env, PORT: '1' }).PORT).toBe(1);
  });

  it('lists every problem by variable name, including unreadable files', () => {
    const message = problemsOf(SHAPE, { PORT: '70000', URL: 'ftp://x', KEY_FILE: join(directory, 'missing'), ON: 'yes', LIFE: '0' });
    const names = message.split('; ').map((problem) => problem.split(': ')[0]);
    expect(names.sort()).toEqual(['JSON', 'KEY_FILE', 'LIFE', 'ON', 'PORT', 'URL']);
    expect(message).toContain('JSON: is required');
  });

  it.each<[keyof typeof SHAPE, string]>([
    ['PORT', 'S3cretMarker'],
    ['PORT', '123456789'],
    ['URL', 'S3cretMarker'],
    ['KEY', 'S3cretMarker'],
    ['ON', 'S3cretMarker'],
    ['LIFE', '-123456789'],
    ['JSON', '{S3cretMarker'],
    ['JSON', '{"a":"S3cretMarker"}'],
  ])('does not reveal the invalid value of %s (%s)', (name, value) => {
    const message = problemsOf(SHAPE, { ...GOOD, [name]: value });
    expect(message).toMatch(new RegExp(`^${name}: `));
    expect(message).not.toMatch(/S3cretMarker|123456789/);
    expect(problemsOf(SHAPE, { ...GOOD, [name]: undefined, [`${name}_FILE`]: file('bad', value) })).not.toMatch(/S3cretMarker|123456789/);
  });
});

describe('configuration of every service', () => {
  it('parses keys and trust from JSON, and drops private parts of trusted keys', async () => {
    const authority = await createTestAuthority({ card: ['a.b'] });
    const own = authority.serviceKey('card');
    const config = loadConfig(serviceShape, {
      PORT: '0',
      REDIS_URL: 'redis://x',
      SERVICE_KEY: JSON.stringify(own),
      SERVICE_TRUST: JSON.stringify({ clients: [{ name: 'card', key: own, scopes: ['a.b'] }] }),
    });
    expect(config).toMatchObject({ HOST: '127.0.0.1', SANDBOX: false, LOG_LEVEL: 'info', SERVICE_KEY: own });
    expect(JSON.stringify(config.SERVICE_TRUST)).not.toContain(own.d);
  });

  it.each(['key', 'overlapKey'] as const)('rejects two clients of which one has the other’s %s, and names both', async (field) => {
    const authority = await createTestAuthority({ card: [], ledger: [], threeds: [] });
    const [card, ledger, threeds] = ['card', 'ledger', 'threeds'].map((name) => authority.serviceKey(name));
    const clients = [
      { name: 'card', key: card, overlapKey: card, scopes: [] },
      { name: 'ledger', key: ledger, scopes: [] },
      { name: 'threeds', key: threeds, scopes: [] },
    ];
    const ok = JSON.stringify({ clients });
    expect(problemsOf(serviceShape, { SERVICE_TRUST: ok })).not.toContain('SERVICE_TRUST');
    const shared = JSON.stringify({
      clients: clients.map((client) => (client.name === 'threeds' ? { ...client, [field]: card } : client)),
    });
    const problems = problemsOf(serviceShape, { SERVICE_TRUST: shared });
    expect(problems).toMatch(/SERVICE_TRUST: [^;]*card[^;]*threeds/);
    expect(problems).not.toContain(card?.x);
  });

  it('rejects a client of a partner with a scope that does not keep partners apart', async () => {
    const authority = await createTestAuthority({ acme: [] });
    const trust = (scopes: string[]) =>
      JSON.stringify({ clients: [{ name: 'acme', key: authority.serviceKey('acme'), partnerId: 'acme', scopes }] });
    expect(problemsOf(serviceShape, { SERVICE_TRUST: trust(['events.read']) })).not.toContain('SERVICE_TRUST');
    expect(problemsOf(serviceShape, { SERVICE_TRUST: trust(['ledger.entries.read']) })).toMatch(/SERVICE_TRUST: [^;]*acme[^;]*ledger/);
  });

  it.each([
    ['SERVICE_KEY', '{"kty":"RSA"}'],
    ['SERVICE_KEY', 'not json'],
    ['SERVICE_TRUST', '{"clients":[{}]}'],
    ['REDIS_URL', 'http://x'],
    ['LOG_LEVEL', 'loud'],
    ['SANDBOX', '1'],
  ])('reports an invalid %s by name (%s)', (name, value) => {
    expect(problemsOf(serviceShape, { [name]: value })).toMatch(new RegExp(`(^|; )${name}: (?!is required)`));
  });
});
