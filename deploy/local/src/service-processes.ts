import { request } from 'node:http';
import { join } from 'node:path';
import type { LocalConfig, ProcessName } from './config.ts';
import type { PlatformKeys } from './keys.ts';
import type { ProcessSpec } from './processes/supervised-process.ts';

export type PlatformUrls = Record<ProcessName, string>;

const SERVICE_TIER = 2;
const GATEWAY_TIER = 3;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Flags of a process's V8. threeds holds thousands of open streams, each opened with some garbage: without a bound V8 lets the
 * heap grow to a multiple of what lives in it before it looks. 512 MB are enough for as many watchers as the service takes.
 * ledger makes much that lives until the next block: young objects get room to die before they are copied.
 */
export const NODE_FLAGS: Readonly<Partial<Record<ProcessName, readonly string[]>>> = {
  ledger: ['--max-old-space-size=768', '--max-semi-space-size=64'],
  threeds: ['--max-old-space-size=512', '--max-semi-space-size=8'],
};

export type ServiceSetting = {
  rootDir: string;
  env: NodeJS.ProcessEnv;
  config: Pick<LocalConfig, 'ports' | 'sandbox' | 'logLevel'>;
  keys: PlatformKeys;
  urls: PlatformUrls;
  mongodbUri: string;
  redisUrl: string;
};

/** How one process of the platform is started, asked whether it is ready, and stopped. */
export function serviceProcess(name: ProcessName, setting: ServiceSetting): ProcessSpec {
  const directory = name === 'gateway' ? 'gateway' : join('services', name);
  const url = setting.urls[name];
  return {
    name,
    tier: name === 'gateway' ? GATEWAY_TIER : SERVICE_TIER,
    command: process.execPath,
    args: [...(NODE_FLAGS[name] ?? []), join(setting.rootDir, directory, 'src', 'main.ts')],
    cwd: setting.rootDir,
    env: serviceEnvironment(name, setting),
    ipc: true,
    isReady: () => (name === 'gateway' ? gatewayIsReady(url) : serviceIsServing(url)),
    stopSignal: 'SIGTERM',
    // The services cut their own stop at 8 s.
    stopTimeoutMs: 10_000,
  };
}

function serviceEnvironment(name: ProcessName, setting: ServiceSetting): NodeJS.ProcessEnv {
  const { env, config, keys, urls } = setting;
  return {
    ...env,
    PORT: String(config.ports[name]),
    HOST: '127.0.0.1',
    MONGODB_URI: setting.mongodbUri,
    REDIS_URL: setting.redisUrl,
    SANDBOX: String(config.sandbox),
    LOG_LEVEL: config.logLevel,
    IDENTITY_URL: urls.identity,
    CARD_URL: urls.card,
    LEDGER_URL: urls.ledger,
    THREEDS_URL: urls.threeds,
    SERVICE_KEY_FILE: keys.keyFile(name),
    SERVICE_TRUST_FILE: keys.trustFile,
    ...(name === 'identity' ? { IDENTITY_MASTER_KEY_FILE: keys.identityMasterKeyFile } : {}),
    ...(name === 'card' ? { CARD_MASTER_KEY_FILE: keys.cardMasterKeyFile } : {}),
  };
}

/** grpc.health.v1 over the Connect protocol: plain JSON, no client needed. */
async function serviceIsServing(url: string): Promise<boolean> {
  const { status, body } = await ask(`${url}/grpc.health.v1.Health/Check`, 'POST', '{}');
  if (status !== 200) return false;
  const answer = JSON.parse(body) as { status?: unknown };
  return answer.status === 'SERVING';
}

async function gatewayIsReady(url: string): Promise<boolean> {
  return (await ask(`${url}/health/ready`, 'GET')).status === 200;
}

/** One request on a connection of its own, so that no idle connection to a service stays open. */
function ask(url: string, method: string, body?: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
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
}
