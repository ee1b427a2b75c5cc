import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createServiceTokenVerifier, serviceTrustSchema, signServiceToken } from '@florin/rpc/auth';
import { describe, expect, it } from 'vitest';
import { ensureKeys, readPrivateKey } from './keys.ts';
import { clientsFile, newServiceClient, readPublicKey, updateServiceClients } from './service-clients.ts';
import { CLIENTS, clientScopes } from './service-scopes.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const readTrust = (path: string) => serviceTrustSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the keys of a platform', () => {
  it('are readable by their owner only', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    expect(mode(keys.directory)).toBe('700');
    for (const name of readdirSync(keys.directory)) expect(mode(`${keys.directory}/${name}`)).toBe('600');
    expect(readdirSync(keys.directory).sort()).toEqual(
      [
        ...CLIENTS.map((client) => `${client}.key.json`),
        'card-field-hash.key',
        'card-fields.keys.json',
        'events-field-hash.key',
        'events-fields.keys.json',
        'identity-field-hash.key',
        'identity-fields.keys.json',
        'identity-master.keys.json',
        'ledger-head.key.json',
        'notifications-field-hash.key',
        'notifications-fields.keys.json',
        'service-trust.json',
        'settlement-days.key.json',
        'vapid.key',
        'vault-master.keys.json',
      ].sort(),
    );
  });

  it('are created once, even by concurrent starts', async () => {
    const dataDir = temporaryDirectory();
    const contents = (directory: string): string[] => readdirSync(directory).map((name) => readFileSync(`${directory}/${name}`, 'utf8'));
    const [first] = await Promise.all([ensureKeys(dataDir), ensureKeys(dataDir)]);
    const before = contents(first.directory);
    await ensureKeys(dataDir);
    expect(contents(first.directory)).toEqual(before);
  });

  it('are created where missing, without changing the others', async () => {
    const dataDir = temporaryDirectory();
    const keys = await ensureKeys(dataDir);
    const master = readFileSync(keys.identityMasterKeysFile, 'utf8');
    const before = readTrust(keys.trustFile);
    rmSync(keys.keyFile('card'));
    await ensureKeys(dataDir);
    const after = readTrust(keys.trustFile);
    expect(readFileSync(keys.identityMasterKeysFile, 'utf8')).toBe(master);
    const changed = after.clients.filter((client, index) => client.key.x !== before.clients[index]?.key.x);
    expect(changed.map(({ name }) => name)).toEqual(['card']);
  });

  it('include different secrets of 32 bytes', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    const read = (path: string) => readFileSync(path, 'utf8');
    const newest = (path: string) => String((JSON.parse(read(path)) as { key: string }[])[0]?.key);
    const fields = (['identity', 'card'] as const).map(keys.fieldKeyFiles);
    const secrets = [
      newest(keys.identityMasterKeysFile),
      newest(keys.vaultMasterKeysFile),
      ...fields.flatMap(({ keys: path, hashKey }) => [newest(path), read(hashKey)]),
    ];
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(new Set(secrets).size).toBe(6);
  });

  it('are not replaced when a file is invalid; the error names the file', async () => {
    const dataDir = temporaryDirectory();
    const keys = await ensureKeys(dataDir);
    writeFileSync(keys.keyFile('ledger'), '{"kty":"OKP"}');
    await expect(ensureKeys(dataDir)).rejects.toThrow(keys.keyFile('ledger'));
  });
});

describe('the trust file', () => {
  it('contains only public keys and the scopes of each client', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    const text = readFileSync(keys.trustFile, 'utf8');
    expect(text).not.toContain('"d"');
    const { clients } = readTrust(keys.trustFile);
    expect(Object.fromEntries(clients.map(({ name, scopes }) => [name, scopes]))).toEqual(clientScopes({ sandbox: true }));
  });

  it('is written anew at every start', async () => {
    const dataDir = temporaryDirectory();
    const keys = await ensureKeys(dataDir);
    writeFileSync(keys.trustFile, '{"clients":[]}');
    await ensureKeys(dataDir);
    expect(readTrust(keys.trustFile).clients.map(({ name }) => name)).toEqual([...CLIENTS]);
  });

  it('contains registered clients and reflects the mode', async () => {
    const dataDir = temporaryDirectory();
    const { directory, trustFile } = await ensureKeys(dataDir, { sandbox: false });
    const own = await ensureKeys(temporaryDirectory());
    const client = newServiceClient('acs', readPublicKey(own.keyFile('operator')), [THREEDS_SCOPES.writeChallenges]);
    await updateServiceClients(clientsFile(directory), () => [client]);
    await ensureKeys(dataDir, { sandbox: false });
    const { clients } = readTrust(trustFile);
    expect(clients.at(-1)).toEqual(client);
    expect(clients[0]).toMatchObject({ name: 'gateway', scopes: clientScopes({ sandbox: false }).gateway });
  });

  it('lets a service verify a client and limits it to its scopes', async () => {
    const keys = await ensureKeys(temporaryDirectory());
    const verify = createServiceTokenVerifier('card', readTrust(keys.trustFile));
    const key = readPrivateKey(keys.keyFile('threeds'));
    const token = await signServiceToken({ key, audience: 'card', scopes: [CARD_SCOPES.readCards, LEDGER_SCOPES.readEntries] });
    const caller = await verify(token);
    expect(caller).toMatchObject({ kind: 'service', name: 'threeds', scopes: new Set([CARD_SCOPES.readCards]) });
    const foreign = readPrivateKey((await ensureKeys(temporaryDirectory())).keyFile('threeds'));
    await expect(verify(await signServiceToken({ key: foreign, audience: 'card', scopes: [] }))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});

it('allows the gateway to move money, create challenges and read the outbox in the sandbox only', () => {
  const sandboxOnly = [
    CARD_SCOPES.writePayments,
    LEDGER_SCOPES.writeDeposits,
    LEDGER_SCOPES.resolveDeposits,
    LEDGER_SCOPES.writeWithdrawals,
    THREEDS_SCOPES.writeChallenges,
    IDENTITY_SCOPES.readOutbox,
  ];
  expect(clientScopes({ sandbox: true }).gateway).toEqual(expect.arrayContaining(sandboxOnly));
  for (const scope of sandboxOnly) expect(clientScopes({ sandbox: false }).gateway).not.toContain(scope);
});

it('allows the operator every scope of every process', () => {
  const scopes = clientScopes({ sandbox: true });
  for (const client of CLIENTS) {
    for (const scope of scopes[client]) expect(scopes.operator).toContain(scope);
  }
  expect(scopes.operator).toContain(LEDGER_SCOPES.readEntries);
});
