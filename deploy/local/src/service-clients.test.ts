import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createServiceTokenVerifier, serviceTrustSchema, signServiceToken } from '@florin/rpc/auth';
import { describe, expect, it } from 'vitest';
import { runClientCommand } from './client-command.ts';
import { processEnvironment } from './environment.ts';
import { ensureKeys, keyPaths, readPrivateKey } from './keys.ts';
import { runStep } from './processes/run-step.ts';
import { clientsFile, newServiceClient, readPublicKey, readServiceClients, updateServiceClients } from './service-clients.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const SCOPES = [THREEDS_SCOPES.writeChallenges];

/** A command in a process of its own. */
const runProcess = (program: string, ...args: string[]): Promise<string> =>
  runStep({ command: process.execPath, args: [fileURLToPath(new URL(program, import.meta.url)), ...args], timeoutMs: 20_000 });
/** `npm run client -- …` in this process, which spares the start of another. */
const runClient = (...args: string[]): Promise<string> => runClientCommand(args, processEnvironment());
const tokenOf = (keyFile: string): Promise<string> =>
  signServiceToken({ key: readPrivateKey(keyFile), audience: 'threeds', scopes: SCOPES });

const ed25519 = () => generateKeyPairSync('ed25519');

describe('the key of a service client', () => {
  const { publicKey, privateKey } = ed25519();
  const jwk = publicKey.export({ format: 'jwk' });

  it.each([
    { format: 'a private JWK', content: JSON.stringify(privateKey.export({ format: 'jwk' })) },
    { format: 'a public JWK', content: JSON.stringify(jwk) },
    { format: 'a private PEM', content: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() },
    { format: 'a public PEM', content: publicKey.export({ format: 'pem', type: 'spki' }).toString() },
  ])('is read from $format, without its private part', ({ content }) => {
    const path = join(temporaryDirectory(), 'key');
    writeFileSync(path, content);
    const { key } = newServiceClient('acs', readPublicKey(path), SCOPES);
    expect(key).toEqual({ kty: 'OKP', crv: 'Ed25519', x: jwk.x, kid: 'acs', alg: 'EdDSA' });
  });

  it.each([
    { what: 'text', content: 'secret' },
    { what: 'a JWK without a key', content: '{"kty":"OKP","crv":"Ed25519","x":"secret"}' },
    { what: 'an RSA key', content: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'pem', type: 'spki' }) },
  ])('is not $what; the error does not contain it', ({ content }) => {
    const path = join(temporaryDirectory(), 'key');
    writeFileSync(path, content);
    const read = () => newServiceClient('acs', readPublicKey(path), SCOPES);
    expect(read).toThrow(/Ed25519 key/);
    expect(read).not.toThrow(/secret/);
  });
});

describe('a service client', () => {
  const key = ed25519().publicKey.export({ format: 'jwk' });

  it.each(['gateway', 'operator', 'ACS', '1acs', '', 'a'.repeat(64), '../acs'])('is rejected with the name %j', (name) => {
    expect(() => newServiceClient(name, key, SCOPES)).toThrow(/NAME|own clients/);
  });

  it.each([{ scopes: [] }, { scopes: ['threeds.everything'] }])('is rejected with the scopes $scopes', ({ scopes }) => {
    expect(() => newServiceClient('acs', key, scopes)).toThrow(/scope/);
  });

  it('is not lost when clients are registered concurrently', async () => {
    const path = clientsFile(temporaryDirectory());
    const names = Array.from({ length: 5 }, (_, index) => `client-${index}`);
    const add = (name: string) =>
      updateServiceClients(path, (clients) => [...clients, newServiceClient(name, ed25519().publicKey.export({ format: 'jwk' }), SCOPES)]);
    await Promise.all(names.map(add));
    expect(
      readServiceClients(path)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
  });
});

describe('npm run client', () => {
  it('registers a client whose tokens are accepted after every start', { timeout: 120_000 }, async () => {
    const dataDir = temporaryDirectory();
    const keyFile = join(dataDir, 'acs.key.json');
    const client = (...args: string[]) => runClient(...args, '--data-dir', dataDir);
    const verify = async (token = tokenOf(keyFile)) => {
      const { trustFile } = await ensureKeys(dataDir);
      return createServiceTokenVerifier('threeds', serviceTrustSchema.parse(JSON.parse(readFileSync(trustFile, 'utf8'))))(await token);
    };
    const inProcess = (...args: string[]) => runProcess('./client.ts', ...args, '--data-dir', dataDir);
    expect(await inProcess('add', 'acs', '--key', keyFile, '--scope', SCOPES.join(','))).toContain(
      `Registered acs with ${SCOPES.join(', ')}.`,
    );
    expect((statSync(keyFile).mode & 0o777).toString(8)).toBe('600');
    const printed = runProcess('./token.ts', '--key', keyFile, '--service', 'threeds', '--scope', SCOPES.join(','));
    expect(await verify(printed.then((text) => text.trim()))).toMatchObject({ kind: 'service', name: 'acs', scopes: new Set(SCOPES) });
    await expect(inProcess('remove', 'nobody')).rejects.toThrow('There is no client nobody.');
    expect(await verify()).toMatchObject({ name: 'acs' });
    expect(await client('list')).toBe(`acs  ${SCOPES.join(', ')}`);

    // A platform that runs reads the file again.
    const trusted = () => readServiceClients(keyPaths(dataDir).trustFile).map(({ name }) => name);
    const [before, other] = [trusted(), join(dataDir, 'other.json')];
    await client('add', 'other', '--key', other, '--scope', SCOPES.join(','));
    expect(trusted()).toEqual([...before, 'other']);
    await client('remove', 'other');
    expect(trusted()).toEqual(before);

    await client('add', 'acs', '--key', keyFile, '--scope', THREEDS_SCOPES.readChallenges);
    expect(await verify()).toMatchObject({ scopes: new Set() });
    await client('remove', 'acs');
    await expect(verify()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('stays a person when its scopes change, and shares its key with no other name', async () => {
    const dataDir = temporaryDirectory();
    const path = clientsFile((await ensureKeys(dataDir)).directory);
    const key = join(dataDir, 'ada.json');
    const add = (name: string, scope: string, ...more: string[]) =>
      runClient('add', name, '--key', key, '--scope', scope, '--data-dir', dataDir, ...more);
    await add('ada', THREEDS_SCOPES.writeChallenges, '--person');
    await add('ada', 'audit.events.read');
    expect(readServiceClients(path)).toMatchObject([{ name: 'ada', scopes: ['audit.events.read'], person: true }]);
    await expect(add('ada-2', 'audit.events.read')).rejects.toThrow();
    const own = (await ensureKeys(dataDir)).keyFile('operator');
    const twin = runClient('add', 'bob', '--key', own, '--scope', 'audit.events.read', '--data-dir', dataDir);
    await expect(twin).rejects.toThrow('belongs to operator');
    expect(readServiceClients(path)).toHaveLength(1);
  });

  it('stays a client of its partner, and gets no scopes but those of partners', async () => {
    const dataDir = temporaryDirectory();
    const path = clientsFile((await ensureKeys(dataDir)).directory);
    const key = join(dataDir, 'acme.json');
    const add = (scope: string, ...more: string[]) =>
      runClient('add', 'acme-server', '--key', key, '--scope', scope, '--data-dir', dataDir, ...more);
    await expect(add('audit.events.read', '--partner', 'acme')).rejects.toThrow('must not have audit.events.read');
    await expect(add('events.read', '--partner', 'Acme!')).rejects.toThrow('--partner must be');
    expect(existsSync(key)).toBe(false);
    await add('events.read', '--partner', 'acme');
    await add('events.read');
    expect(readServiceClients(path)).toMatchObject([{ name: 'acme-server', scopes: ['events.read'], partnerId: 'acme' }]);
    await expect(add('audit.events.read')).rejects.toThrow('must not have audit.events.read');
    await expect(add('events.read', '--partner', 'other')).rejects.toThrow('Remove it first');
    expect(await runClient('list', '--data-dir', dataDir)).toBe('acme-server (partner acme)  events.read');
  });

  it('is invited at a running platform only', async () => {
    const dataDir = temporaryDirectory();
    const invite = (...more: string[]) => runClient('invite', '--data-dir', dataDir, ...more);
    await expect(invite()).rejects.toThrow(/usage|FILE of --key is/);
    await expect(invite('--partner', 'acme')).rejects.toThrow('Start the platform once');
  });

  it('writes nothing when the command is invalid', async () => {
    const dataDir = temporaryDirectory();
    const keyFile = join(dataDir, 'acs.key.json');
    const add = runClient('add', 'acs', '--key', keyFile, '--scope', 'everything', '--data-dir', dataDir);
    await expect(add).rejects.toThrow('Unknown scope everything.');
    await expect(runClient('remove', 'acs', '--data-dir', dataDir)).rejects.toThrow('There is no client acs.');
    await expect(runClient('--data-dir', dataDir)).rejects.toThrow(/usage|FILE of --key is/);
    expect(existsSync(keyFile)).toBe(false);
    expect(readServiceClients(clientsFile(join(dataDir, 'keys')))).toEqual([]);
  });

  describe('with the trust of a deployment', () => {
    const deployment = async () => {
      const directory = temporaryDirectory();
      const trust = join(directory, 'trust.json');
      const keys = await ensureKeys(join(directory, 'data'));
      copyFileSync(keys.trustFile, trust);
      return { directory, trust, keys, client: (...args: string[]) => runClient(...args, '--trust', trust) };
    };
    const parse = (trust: string) => serviceTrustSchema.parse(JSON.parse(readFileSync(trust, 'utf8')));

    it('registers a client beside the clients of the platform, and removes it', async () => {
      const { directory, trust, client } = await deployment();
      const own = parse(trust).clients;
      const keyFile = join(directory, 'acs.key.json');
      await client('add', 'acs', '--key', keyFile, '--scope', SCOPES.join(','));
      expect(await createServiceTokenVerifier('threeds', parse(trust))(await tokenOf(keyFile))).toMatchObject({
        name: 'acs',
        scopes: new Set(SCOPES),
      });
      expect(parse(trust).clients).toMatchObject([...own, { name: 'acs' }]);
      expect(await client('list')).toContain(`\nacs  ${SCOPES.join(', ')}`);
      await client('remove', 'acs');
      expect(parse(trust).clients).toEqual(own);
    });

    it('changes no client of the platform', async () => {
      const { directory, trust, keys, client } = await deployment();
      const before = readFileSync(trust, 'utf8');
      const add = (name: string, key: string) => client('add', name, '--key', key, '--scope', SCOPES.join(','));
      await expect(client('remove', 'gateway')).rejects.toThrow("one of the platform's own clients");
      await expect(add('gateway', join(directory, 'new.json'))).rejects.toThrow("one of the platform's own clients");
      await expect(add('acs', keys.keyFile('card'))).rejects.toThrow('belongs to card');
      expect(readFileSync(trust, 'utf8')).toBe(before);
    });

    it.each(['missing', 'empty'])('rejects a file that is %s', async (kind) => {
      const directory = temporaryDirectory();
      const trust = join(directory, 'trust.json');
      if (kind === 'empty') writeFileSync(trust, '{"clients":[]}');
      const key = join(directory, 'acs.key.json');
      const add = runClient('add', 'acs', '--key', key, '--scope', SCOPES.join(','), '--trust', trust);
      await expect(add).rejects.toThrow('must contain the SERVICE_TRUST');
      expect(existsSync(key)).toBe(false);
    });
  });
});
