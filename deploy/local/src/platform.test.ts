import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { FREE_PORTS } from './config.ts';
import { DataDirInUseError, openDataDir } from './data-dir.ts';
import { processEnvironment } from './environment.ts';
import { ensureKeys } from './keys.ts';
import { requireSupportedNode } from './node-version.ts';
import { type Platform, startPlatform } from './platform.ts';
import { PortTakenError } from './ports.ts';
import { processIdentity } from './processes/process-identity.ts';
import { ProcessStartError } from './processes/process-spec.ts';
import { createFakeCheckout, environmentOf, writeAppBuild } from './testing/fake-checkout.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { until } from './testing/until.ts';

const quiet = (): void => undefined;

describe('starting the platform', () => {
  it('reports a port that is in use, its owner and its variable, and leaves nothing behind', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const dataDir = temporaryDirectory();
    const start = startPlatform({ rootDir: dataDir, dataDir, env: { ...FREE_PORTS, PORT: String(port) }, report: quiet });
    const error: unknown = await start.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(PortTakenError);
    expect((error as Error).message).toBe(
      `Port ${port} (gateway) is already in use. Stop the program that uses it, or set PORT to another port.`,
    );
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  });

  it('rejects a data directory that another launcher uses', async () => {
    const path = temporaryDirectory();
    const taken = await openDataDir(path, quiet);
    onTestFinished(() => taken.release());
    await expect(startPlatform({ rootDir: path, dataDir: path, env: FREE_PORTS, report: quiet })).rejects.toThrow(DataDirInUseError);
  });

  it('starts nothing when a variable is invalid', async () => {
    const path = temporaryDirectory();
    await expect(startPlatform({ rootDir: path, env: { PORT: 'x' }, report: quiet })).rejects.toThrow(/^PORT must be/);
    expect(readdirSync(path)).toEqual([]);
  });
});

/** Starts stand-ins for the services on the engines of the test run. */
const startFake = async (
  extra: NodeJS.ProcessEnv = {},
  prepare: (rootDir: string) => void = () => undefined,
): Promise<{ rootDir: string; reports: string[]; platform: Platform }> => {
  const rootDir = temporaryDirectory();
  createFakeCheckout(rootDir);
  prepare(rootDir);
  const reports: string[] = [];
  const engines = { MONGODB_URI: inject('mongodbUri'), REDIS_URL: inject('redisUrl') };
  const env = { PATH: processEnvironment()['PATH'], ...FREE_PORTS, ...engines, ...extra };
  const platform = await startPlatform({ rootDir, env, report: (line) => reports.push(line) });
  onTestFinished(() => platform.stop());
  return { rootDir, reports, platform };
};

describe('the platform', () => {
  it('starts every process with its environment, the services before the gateway, and one that is killed again', async () => {
    const { rootDir, reports, platform } = await startFake({ SMTP_URL: 'smtp://mail.example' });
    const names = [
      'identity',
      'card',
      'ledger',
      'threeds',
      'vault',
      'events',
      'webhooks',
      'settlement',
      'notifications',
      'gateway',
      'back-office',
    ] as const;
    expect(platform.processes().map(({ name }) => name)).toEqual(names);
    expect(platform.urls.chain).toBeUndefined();
    expect(platform.dataDir).toBe(join(rootDir, '.florin'));
    const services = 'starting identity, card, ledger, threeds, vault, events, webhooks, settlement, notifications';
    // The engines start, and the pages are built, concurrently.
    expect([...reports].sort()).toEqual([
      'App: built',
      'Back office: built',
      'MongoDB: using MONGODB_URI',
      'Redis: using REDIS_URL',
      'starting gateway, back-office',
      services,
    ]);
    expect(reports.indexOf(services)).toBeGreaterThan(reports.indexOf('Redis: using REDIS_URL'));
    for (const built of ['App: built', 'Back office: built']) {
      expect(reports.indexOf(built)).toBeLessThan(reports.indexOf('starting gateway, back-office'));
    }
    expect(reports.at(-1)).toBe('starting gateway, back-office');
    expect(platform.hasApp).toBe(true);
    expect(platform.enrolmentUrl).toMatch(
      /^http:\/\/localhost:8090\/enrol#first\+first-operator@example.org\+--role\+viewer\+.*--role\+admin$/,
    );
    for (const name of names) {
      const env = environmentOf(rootDir, name);
      expect(env).toMatchObject({
        HOST: '127.0.0.1',
        PORT: new URL(platform.urls[name]).port,
        IDENTITY_URL: platform.urls.identity,
        CARD_URL: platform.urls.card,
        LEDGER_URL: platform.urls.ledger,
        THREEDS_URL: platform.urls.threeds,
        VAULT_URL: platform.urls.vault,
        MONGODB_URI: platform.mongodbUri,
        REDIS_URL: platform.redisUrl,
        SANDBOX: 'true',
        LOG_LEVEL: 'info',
        SMTP_URL: 'smtp://mail.example',
      });
      expect(JSON.parse(readFileSync(env['SERVICE_KEY_FILE'] ?? '', 'utf8'))).toMatchObject({ kid: name });
      expect(statSync(env['SERVICE_TRUST_FILE'] ?? '').isFile()).toBe(true);
      expect(env['IDENTITY_MASTER_KEYS_FILE'] !== undefined).toBe(name === 'identity');
      expect(env['VAULT_MASTER_KEYS_FILE'] !== undefined).toBe(name === 'vault');
      expect(env['FIELD_KEYS_FILE'] !== undefined).toBe(['card', 'identity', 'events', 'webhooks', 'notifications'].includes(name));
    }

    // A killed service is started again, and nothing is left behind when the platform stops.
    const pidOf = (name: string): number | undefined => platform.processes().find((one) => one.name === name)?.pid;
    const before = pidOf('card');
    process.kill(before ?? 0, 'SIGKILL');
    await until(() =>
      fetch(`${platform.urls.card}/grpc.health.v1.Health/Check`, { method: 'POST' }).then(
        (response) => response.ok && pidOf('card') !== before,
        () => false,
      ),
    );
    const pids = platform.processes().map(({ pid }) => pid ?? 0);
    await platform.stop();
    expect(pids.filter((pid) => processIdentity(pid) !== undefined)).toEqual([]);
    expect(readdirSync(join(rootDir, '.florin/run'))).toEqual([]);
  });

  it('starts without the app when it cannot be built, and without a link when there is none, and says why', async () => {
    const { reports, platform } = await startFake({}, (rootDir) => {
      writeAppBuild(rootDir, "throw new Error('no such module');");
      rmSync(join(rootDir, 'gateway/back-office/src/cli/main.ts'));
    });
    expect(platform.hasApp).toBe(false);
    expect(reports).toContainEqual(expect.stringContaining("the cardholder's app could not be built: "));
    expect(platform.enrolmentUrl).toBeUndefined();
    expect(reports.at(-1)).toMatch(/^no link for the first operator of the back office could be made: /);
  });

  const NODES = JSON.stringify({ 100: 'http://127.0.0.1:1' });

  it('does not build the app when it is switched off, starts chain where nodes are configured, and takes a trust file of the user', async () => {
    const { directory } = await ensureKeys(temporaryDirectory());
    const dataDir = dirname(directory);
    const trust = join(dataDir, 'trust.json');
    copyFileSync(join(directory, 'service-trust.json'), trust);
    const more = { SERVE_APP: 'false', CHAIN_RPC_URLS: NODES, FLORIN_DATA_DIR: dataDir, SERVICE_TRUST_FILE: trust };
    const { rootDir, reports, platform } = await startFake(more);
    expect(platform.hasApp).toBe(false);
    expect(reports).not.toContain('App: built');
    expect(platform.processes().map(({ name }) => name)).toContain('chain');
    expect(environmentOf(rootDir, 'chain')).toMatchObject({ PORT: new URL(platform.urls.chain ?? '').port, CHAIN_RPC_URLS: NODES });
    expect(environmentOf(rootDir, 'gateway')).toMatchObject({ CHAIN_URL: platform.urls.chain });
    expect(environmentOf(rootDir, 'ledger')).toMatchObject({ ACCOUNTS_NEED_SAFE: 'false' });
    expect(environmentOf(rootDir, 'card')['SERVICE_TRUST_FILE']).toBe(trust);
  });

  it('lets the first operator outside a sandbox manage operators only, and activates accounts with their Safes where it has a key', async () => {
    const { rootDir, platform } = await startFake({ SANDBOX: 'false', CHAIN_RPC_URLS: NODES, CHAIN_COSIGNER_KEY_FILE: '/key' });
    expect(platform.enrolmentUrl).toMatch(/@example.org\+--role\+admin$/);
    expect(environmentOf(rootDir, 'ledger')).toMatchObject({ ACCOUNTS_NEED_SAFE: 'true' });
  });

  it('fails with the last lines of the log when a service does not start', async () => {
    const error: unknown = await startFake({ FAKE_FAILURE: 'card' }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ProcessStartError);
    expect((error as Error).message).toMatch(
      /^card exited with code 78 \(log: .*card\.log\)\. Last lines of its log:\n {4}card: VAULT_URL: is required$/,
    );
  });

  it('can be cancelled during the start', async () => {
    const rootDir = temporaryDirectory();
    createFakeCheckout(rootDir);
    const cancel = new AbortController();
    const env = { PATH: processEnvironment()['PATH'], ...FREE_PORTS, MONGODB_URI: inject('mongodbUri'), REDIS_URL: inject('redisUrl') };
    const report = (line: string): void => {
      if (line === 'starting gateway, back-office') cancel.abort(new Error('cancelled'));
    };
    await expect(startPlatform({ rootDir, env, report, signal: cancel.signal })).rejects.toThrow('cancelled');
    expect(readdirSync(join(rootDir, '.florin/run'))).toEqual([]);
  });

  it('can be cancelled while the link for the first operator is made', async () => {
    const rootDir = temporaryDirectory();
    createFakeCheckout(rootDir);
    const [begun, ended] = [join(rootDir, 'begun'), join(rootDir, 'ended')];
    const program = `import { writeFileSync } from 'node:fs'; writeFileSync('${begun}', ''); setTimeout(() => writeFileSync('${ended}', ''), 30_000);`;
    writeFileSync(join(rootDir, 'gateway/back-office/src/cli/main.ts'), program);
    const cancel = new AbortController();
    const env = { PATH: processEnvironment()['PATH'], ...FREE_PORTS, MONGODB_URI: inject('mongodbUri'), REDIS_URL: inject('redisUrl') };
    const started = startPlatform({ rootDir, env, report: quiet, signal: cancel.signal });
    const cancelled = expect(started).rejects.toThrow('cancelled');
    await until(async () => existsSync(begun));
    cancel.abort(new Error('cancelled'));
    await cancelled;
    expect(existsSync(ended)).toBe(false);
    expect(readdirSync(join(rootDir, '.florin/run'))).toEqual([]);
  });

  it('reports a configured engine that cannot be reached, without its password', async () => {
    const rootDir = temporaryDirectory();
    const env = { ...FREE_PORTS, MONGODB_URI: inject('mongodbUri'), REDIS_URL: 'redis://user:secret@127.0.0.1:1' };
    const error: unknown = await startPlatform({ rootDir, env, report: quiet }).catch((cause: unknown) => cause);
    expect((error as Error).message).toMatch(
      /^Redis could not be started\. Tried:\n {2}- REDIS_URL: is set, but the server cannot be used \(/,
    );
    expect((error as Error).message).not.toContain('secret');
  });
});

describe('a trust file of the user', () => {
  const startWith = (dataDir: string, env: NodeJS.ProcessEnv) =>
    startPlatform({ rootDir: dataDir, dataDir, env: { ...FREE_PORTS, ...env }, report: quiet });

  it.each([
    { problem: 'must contain the key of gateway', content: '{"clients":[]}' },
    { problem: 'must be {"clients"', content: '{}' },
  ])('$problem', async ({ problem, content }) => {
    const dataDir = temporaryDirectory();
    const trust = join(dataDir, 'trust.json');
    writeFileSync(trust, content);
    await expect(startWith(dataDir, { SERVICE_TRUST_FILE: trust })).rejects.toThrow(`SERVICE_TRUST_FILE ${problem}`);
    await expect(startWith(dataDir, { SERVICE_TRUST: content })).rejects.toThrow(`SERVICE_TRUST ${problem}`);
  });
});

describe('the version of Node', () => {
  it.each(['24.0.0', '26.1.0'])('%s is supported', (version) => {
    expect(() => requireSupportedNode(version)).not.toThrow();
  });

  it.each(['20.20.2', '22.18.0'])('%s is too old', (version) => {
    expect(() => requireSupportedNode(version)).toThrow(`this is Node ${version}`);
  });
});
