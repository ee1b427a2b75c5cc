import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { compileCacheDir } from './cache-dir.ts';
import type { CertificateFiles } from './certificates.ts';
import { EDGE, type LocalConfig, PROCESS_NAMES, type ProcessName } from './config.ts';
import { fieldServiceOf, type PlatformKeys } from './keys.ts';
import type { PlatformUrls } from './platform-urls.ts';
import type { ProcessSpec } from './processes/process-spec.ts';
import type { RedisProcess } from './redis-users.ts';
import type { Client } from './service-scopes.ts';

const SERVICE_TIER = 2;
const EDGE_TIER = 3;
const PROBE_TIMEOUT_MS = 2_000;
const METRICS_ORDER: readonly ProcessName[] = ['gateway', ...PROCESS_NAMES.filter((name) => name !== 'gateway')];

/**
 * V8 flags by process. threeds holds thousands of open streams, and opening each leaves garbage: without a limit, V8 lets the heap
 * grow to a multiple of the live objects before it collects. 512 MB are enough for the number of watchers that the service accepts.
 * ledger allocates many objects that live until the next block: a larger young generation lets them die before they are copied.
 * gateway and ledger: V8 allocates what survived a few young collections early on in the old generation from then on, where it is not collected for seconds, and
 * keeps alive what it refers to. For objects of requests and orders that is wrong: it makes each young collection of the gateway five times as long in most processes, not in all, and costs the ledger an eighth of its time.
 */
export const NODE_FLAGS: Readonly<Partial<Record<ProcessName, readonly string[]>>> = {
  gateway: ['--no-allocation-site-pretenuring'],
  ledger: ['--max-old-space-size=512', '--max-semi-space-size=32', '--no-allocation-site-pretenuring'],
  threeds: ['--max-old-space-size=512', '--max-semi-space-size=8'],
  webhooks: ['--max-old-space-size=320'],
};

export type ServiceSetting = {
  rootDir: string;
  env: NodeJS.ProcessEnv;
  config: Pick<LocalConfig, 'ports' | 'sandbox' | 'logLevel'>;
  keys: PlatformKeys;
  urls: PlatformUrls;
  /** The files of a client's mutual TLS; undefined where the processes speak cleartext. */
  certificates?: ((name: Client) => CertificateFiles) | undefined;
  mongodbUri: string;
  /** Returns the address of Redis for a process. */
  redisUrlOf: (name: RedisProcess) => string;
};

/** Folder with the entry of a process. Webhooks are delivered by a process of their own, out of the events service. */
const sourceOf = (name: ProcessName): string => {
  if (name === 'back-office') return join('gateway', 'back-office', 'src');
  if (name === 'gateway') return join('gateway', 'src');
  return name === 'webhooks' ? join('services', 'events', 'src', 'webhooks') : join('services', name, 'src');
};

/** The paths that answer 200 once the processes that serve browsers are ready. */
const EDGE_PROBES: Readonly<Partial<Record<ProcessName, string>>> = { gateway: '/health/ready', 'back-office': '/api/sign-in' };

/** Where browsers find the back office: passkeys need the name of a host. */
export const backOfficeUrl = (env: NodeJS.ProcessEnv, port: number): string => env['BACK_OFFICE_URL'] || `http://localhost:${port}`;

/** Returns how one process of the platform is started, probed for readiness, and stopped. */
export const serviceProcess = (name: ProcessName, setting: ServiceSetting): ProcessSpec => {
  const url = setting.urls[name];
  if (url === undefined) throw new Error(`${name} is not part of the platform`);
  return {
    name,
    tier: EDGE.includes(name) ? EDGE_TIER : SERVICE_TIER,
    command: process.execPath,
    // A debugger that is opened by a signal would show the keys that the process holds.
    args: ['--disable-sigusr1', ...(NODE_FLAGS[name] ?? []), join(setting.rootDir, sourceOf(name), 'main.ts')],
    cwd: setting.rootDir,
    env: serviceEnvironment(name, setting),
    ipc: true,
    isReady: () => {
      const probe = EDGE_PROBES[name];
      return probe === undefined ? serviceIsServing(url, setting.certificates?.('operator')) : answersOk(`${url}${probe}`);
    },
    stopSignal: 'SIGTERM',
    // The services limit their own shutdown to 8 s.
    stopTimeoutMs: 10_000,
  };
};

/** Returns the variables that name the keys of a process's encrypted fields, none for a process without any. */
export const fieldKeyFiles = (name: string, keys: PlatformKeys, env: NodeJS.ProcessEnv = {}): Record<string, string> => {
  const service = fieldServiceOf(name);
  if (service === undefined) return {};
  const files = keys.fieldKeyFiles(service);
  return {
    FIELD_KEYS_FILE: env['FIELD_KEYS_FILE'] || files.keys,
    FIELD_HASH_KEY_FILE: env['FIELD_HASH_KEY_FILE'] || files.hashKey,
  };
};

/** The internal port of each process: the metrics of all processes cannot have one port, so the gateway has the first one, and the others follow. */
export const internalPorts = (first: number): ReadonlyMap<ProcessName, number> =>
  new Map(METRICS_ORDER.map((name, index) => [name, first + index]));

/** 0 stays a free one. */
const metricsPort = (name: ProcessName, given: string | undefined): Record<string, string> =>
  given === undefined || given === '' || given === '0' ? {} : { METRICS_PORT: String(internalPorts(Number(given)).get(name)) };

const tlsVariables = (files: CertificateFiles | undefined): Record<string, string> =>
  files === undefined ? {} : { TLS_CERT: files.cert, TLS_KEY: files.key, TLS_CA: files.ca };

/** Reports whether the platform deploys Safes: then an account becomes active once its own is verified. */
const deploysSafes = ({ env, urls }: ServiceSetting): boolean =>
  urls.chain !== undefined &&
  ['CHAIN_COSIGNER_KEYS', 'CHAIN_COSIGNER_KEY'].some((name) =>
    [env[name], env[`${name}_FILE`]].some((value) => value !== undefined && value !== ''),
  );

const serviceEnvironment = (name: ProcessName, setting: ServiceSetting): NodeJS.ProcessEnv => {
  const { env, config, keys, urls } = setting;
  return {
    ...env,
    NODE_COMPILE_CACHE: compileCacheDir(env),
    PORT: String(config.ports[name]),
    HOST: '127.0.0.1',
    MONGODB_URI: setting.mongodbUri,
    ...(name === 'back-office' ? {} : { REDIS_URL: setting.redisUrlOf(name) }),
    SANDBOX: String(config.sandbox),
    LOG_LEVEL: config.logLevel,
    ...metricsPort(name, env['METRICS_PORT']),
    IDENTITY_URL: urls.identity,
    CARD_URL: urls.card,
    LEDGER_URL: urls.ledger,
    THREEDS_URL: urls.threeds,
    VAULT_URL: urls.vault,
    EVENTS_URL: urls.events,
    NOTIFICATIONS_URL: urls.notifications,
    SETTLEMENT_URL: urls.settlement,
    ...(urls.chainNode === undefined ? {} : { SANDBOX_FAUCET_URL: urls.chainNode }),
    ...(urls.chain === undefined ? {} : { CHAIN_URL: urls.chain }),
    ...tlsVariables(setting.certificates?.(name)),
    SERVICE_KEY_FILE: keys.keyFile(name),
    SERVICE_TRUST_FILE: env['SERVICE_TRUST_FILE'] || keys.trustFile,
    ...(name === 'identity' ? { IDENTITY_MASTER_KEYS_FILE: env['IDENTITY_MASTER_KEYS_FILE'] || keys.identityMasterKeysFile } : {}),
    ...(name === 'vault' ? { VAULT_MASTER_KEYS_FILE: env['VAULT_MASTER_KEYS_FILE'] || keys.vaultMasterKeysFile } : {}),
    ...fieldKeyFiles(name, keys, env),
    // A sandbox delivers to its own machine.
    ...(name === 'events' || name === 'webhooks'
      ? { WEBHOOKS_ALLOW_LOOPBACK: env['WEBHOOKS_ALLOW_LOOPBACK'] || String(config.sandbox) }
      : {}),
    ...(name === 'notifications'
      ? {
          // Outside the sandbox, push services are told whom to turn to; without that, nothing is pushed.
          ...(config.sandbox || env['VAPID_SUBJECT'] ? { VAPID_KEY_FILE: env['VAPID_KEY_FILE'] || keys.vapidKeyFile } : {}),
          PUSH_ALLOW_LOOPBACK: env['PUSH_ALLOW_LOOPBACK'] || String(config.sandbox),
          APP_URL: env['APP_URL'] || `${urls.gateway}/app`,
        }
      : {}),
    ...(name === 'ledger' ? { ACCOUNTS_NEED_SAFE: env['ACCOUNTS_NEED_SAFE'] || String(deploysSafes(setting)) } : {}),
    ...(name === 'back-office' ? { BACK_OFFICE_URL: backOfficeUrl(env, config.ports[name]) } : {}),
    ...(name === 'settlement' ? { SETTLEMENT_KEY_FILE: env['SETTLEMENT_KEY_FILE'] || keys.settlementKeyFile } : {}),
    ...(name === 'ledger' ? { LEDGER_HEAD_KEY_FILE: env['LEDGER_HEAD_KEY_FILE'] || keys.ledgerHeadKeyFile } : {}),
  };
};

/** Calls grpc.health.v1 over the Connect protocol, which is plain JSON over HTTP. */
const serviceIsServing = async (url: string, certificates: CertificateFiles | undefined): Promise<boolean> => {
  const { status, body } = await send(`${url}/grpc.health.v1.Health/Check`, 'POST', { body: '{}', certificates });
  if (status !== 200) return false;
  const health = JSON.parse(body) as { status?: unknown };
  return health.status === 'SERVING';
};

const answersOk = async (url: string): Promise<boolean> => (await send(url, 'GET')).status === 200;

/** Read for each request: certificates are replaced while the launcher runs. */
const material = ({ cert, key, ca }: CertificateFiles): { cert: Buffer; key: Buffer; ca: Buffer } => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
  ca: readFileSync(ca),
});

/** Sends one request on its own connection, so that no idle connection to a service stays open. */
const send = (
  url: string,
  method: string,
  { body, certificates }: { body?: string; certificates?: CertificateFiles | undefined } = {},
): Promise<{ status: number | undefined; body: string }> => {
  return new Promise((resolve, reject) => {
    const outgoing = (certificates === undefined ? request : requestTls)(url, {
      ...(certificates === undefined ? {} : material(certificates)),
      method,
      agent: false,
      headers: body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode, body: text }));
    });
    outgoing.end(body);
  });
};
