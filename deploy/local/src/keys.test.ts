import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenVerifier, serviceTrustSchema, signServiceToken } from '@florin/rpc/auth';
import { describe, expect, it } from 'vitest';
import { ensureKeys, readPrivateKey } from './keys.ts';
import { CLIENT_SCOPES, CLIENTS } from './service-scopes.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const readTrust = (path: string) => serviceTrustSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the keys of a platform', () => {
  it('are readable for their owner only', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    expect(mode(keys.directory)).toBe('700');
    for (const name of readdirSync(keys.directory)) expect(mode(`${keys.directory}/${name}`)).toBe('600');
    expect(readdirSync(keys.directory).sort()).toEqual(
      [...CLIENTS.map((client) => `${client}.key.json`), 'card-master.key', 'identity-master.key', 'service-trust.json'].sort(),
    );
  });

  it('are made once, also by two starts at once', async () => {
    const dataDir = temporaryDirectory();
    const contents = (directory: string): string[] => readdirSync(directory).map((name) => readFileSync(`${directory}/${name}`, 'utf8'));
    const [first] = await Promise.all([ensureKeys(dataDir), ensureKeys(dataDir)]);
    const before = contents(first.directory);
    await ensureKeys(dataDir);
    expect(contents(first.directory)).toEqual(before);
  });

  it('are completed where some are missing, without touching the others', async () => {
    const dataDir = temporaryDirectory();
    const keys = await ensureKeys(dataDir);
    const master = readFileSync(keys.cardMasterKeyFile, 'utf8');
    const before = readTrust(keys.trustFile);
    rmSync(keys.keyFile('card'));
    await ensureKeys(dataDir);
    const after = readTrust(keys.trustFile);
    expect(readFileSync(keys.cardMasterKeyFile, 'utf8')).toBe(master);
    const changed = after.clients.filter((client, index) => client.key.x !== before.clients[index]?.key.x);
    expect(changed.map(({ name }) => name)).toEqual(['card']);
  });

  it('have master keys of 32 bytes that differ', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    const masters = [keys.identityMasterKeyFile, keys.cardMasterKeyFile].map((path) => readFileSync(path, 'utf8'));
    for (const master of masters) expect(Buffer.from(master, 'base64url')).toHaveLength(32);
    expect(new Set(masters).size).toBe(2);
  });

  it('name a broken file and do not replace it', async () => {
    const dataDir = temporaryDirectory();
    const keys = await ensureKeys(dataDir);
    writeFileSync(keys.keyFile('ledger'), '{"kty":"OKP"}');
    await expect(ensureKeys(dataDir)).rejects.toThrow(keys.keyFile('ledger'));
  });
});

describe('the trust file', () => {
  it('holds public parts and the scopes of the table only', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    const text = readFileSync(keys.trustFile, 'utf8');
    expect(text).not.toContain('"d"');
    const { clients } = readTrust(keys.trustFile);
    expect(Object.fromEntries(clients.map(({ name, scopes }) => [name, scopes]))).toEqual(CLIENT_SCOPES);
  });

  it('gets new scopes at the next start', async () => {
    const dataDir = temporaryDirectory();
    const keys = await ensureKeys(dataDir);
    writeFileSync(keys.trustFile, '{"clients":[]}');
    await ensureKeys(dataDir);
    expect(readTrust(keys.trustFile).clients.map(({ name }) => name)).toEqual([...CLIENTS]);
  });

  it('lets a service verify a client, within its scopes', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    const verify = createServiceTokenVerifier('card', readTrust(keys.trustFile));
    const key = readPrivateKey(keys.keyFile('threeds'));
    const token = await signServiceToken({ key, audience: 'card', scopes: [CARD_SCOPES.readCards, LEDGER_SCOPES.readJournal] });
    const caller = await verify(token);
    expect(caller).toEqual({ kind: 'service', name: 'threeds', scopes: new Set([CARD_SCOPES.readCards]) });
    const foreign = readPrivateKey((await ensureKeys(temporaryDirectory())).keyFile('threeds'));
    await expect(verify(await signServiceToken({ key: foreign, audience: 'card', scopes: [] }))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});

it('lets the operator ask for everything that any process may, and for the journal', () => {
  for (const client of CLIENTS) {
    for (const scope of CLIENT_SCOPES[client]) expect(CLIENT_SCOPES.operator).toContain(scope);
  }
  expect(CLIENT_SCOPES.operator).toContain(LEDGER_SCOPES.readJournal);
});
