import { join, resolve } from 'node:path';

/** The processes of the platform in the order of display, each with its port variable and default port. */
export const PORTS = {
  gateway: { variable: 'PORT', default: 8080 },
  identity: { variable: 'IDENTITY_PORT', default: 50051 },
  card: { variable: 'CARD_PORT', default: 50052 },
  ledger: { variable: 'LEDGER_PORT', default: 50053 },
  threeds: { variable: 'THREEDS_PORT', default: 50054 },
  vault: { variable: 'VAULT_PORT', default: 50055 },
  chain: { variable: 'CHAIN_PORT', default: 50056 },
  events: { variable: 'EVENTS_PORT', default: 50057 },
  webhooks: { variable: 'WEBHOOKS_PORT', default: 50058 },
  settlement: { variable: 'SETTLEMENT_PORT', default: 50059 },
  notifications: { variable: 'NOTIFICATIONS_PORT', default: 50060 },
  'back-office': { variable: 'BACK_OFFICE_PORT', default: 8090 },
} as const;

/** Environment with which every process listens on any free port. */
export const FREE_PORTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.values(PORTS).map(({ variable }) => variable), 'CHAIN_NODE_PORT'].map((variable) => [variable, '0']),
);

export type ProcessName = keyof typeof PORTS;
export const PROCESS_NAMES = Object.keys(PORTS) as ProcessName[];

/** The processes that serve browsers, on top of the services. */
export const EDGE: readonly ProcessName[] = ['gateway', 'back-office'];

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export type LocalConfig = {
  dataDir: string;
  /** 0 means any free port. */
  ports: Record<ProcessName, number>;
  /** Processes whose port is set in the environment; the others have their default port. */
  requestedPorts: readonly ProcessName[];
  mongodbPort: number | undefined;
  redisPort: number | undefined;
  sandbox: boolean;
  /** True if the platform has a chain of its own on this machine (`CHAIN=local`). */
  localChain: boolean;
  /** The port of its node; undefined: the usual one if it is free. */
  chainNodePort: number | undefined;
  /** True if the processes speak mutual TLS with each other. */
  tls: boolean;
  logLevel: string;
};

/** Raised when an environment variable has an invalid value; the message names the variable. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the launcher's configuration from the environment. All other variables are passed to the services unchanged.
 * @throws ConfigError
 */
export const readConfig = (env: NodeJS.ProcessEnv, rootDir: string): LocalConfig => {
  const ports = Object.fromEntries(PROCESS_NAMES.map((name) => [name, port(env, PORTS[name].variable) ?? PORTS[name].default])) as Record<
    ProcessName,
    number
  >;
  const config: LocalConfig = {
    dataDir: resolve(rootDir, value(env, 'FLORIN_DATA_DIR') ?? join(rootDir, '.florin')),
    ports,
    requestedPorts: PROCESS_NAMES.filter((name) => port(env, PORTS[name].variable) !== undefined),
    ...enginePorts(env),
    sandbox: flag(env, 'SANDBOX') ?? true,
    localChain: isLocalChain(env),
    chainNodePort: port(env, 'CHAIN_NODE_PORT'),
    tls: flag(env, 'FLORIN_TLS') ?? false,
    logLevel: value(env, 'LOG_LEVEL') ?? 'info',
  };
  if (!LOG_LEVELS.includes(config.logLevel)) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  rejectSharedPorts(config);
  return config;
};

/** @throws ConfigError outside the sandbox, and beside other nodes or keys */
const isLocalChain = (env: NodeJS.ProcessEnv): boolean => {
  const chain = value(env, 'CHAIN');
  if (chain === undefined) return false;
  if (chain !== 'local') throw new ConfigError(`CHAIN must be local, or unset, not "${chain}".`);
  if (flag(env, 'SANDBOX') === false) throw new ConfigError('CHAIN=local is a chain of the sandbox: unset it, or SANDBOX.');
  const other = ['CHAIN_RPC_URLS', 'CHAIN_RELAYER_KEY', 'CHAIN_RELAYER_KEYS', 'CHAIN_COSIGNER_KEY', 'CHAIN_COSIGNER_KEYS']
    .flatMap((name) => [name, `${name}_FILE`])
    .find((name) => value(env, name) !== undefined);
  if (other !== undefined) throw new ConfigError(`CHAIN=local has a node and keys of its own: unset ${other}.`);
  return true;
};

/** Returns the requested ports of the engines; undefined means any free port. @throws ConfigError */
export const enginePorts = (env: NodeJS.ProcessEnv): { mongodbPort: number | undefined; redisPort: number | undefined } => {
  return { mongodbPort: port(env, 'MONGODB_PORT') || undefined, redisPort: port(env, 'REDIS_PORT') || undefined };
};

/** Returns every fixed port with its owner and the variable that sets it. Ports that are chosen at start are left out. */
export const portList = (
  config: Pick<LocalConfig, 'ports' | 'mongodbPort' | 'redisPort'> & Partial<Pick<LocalConfig, 'chainNodePort'>>,
): { port: number; owner: string; variable: string }[] => {
  const list: { port: number | undefined; owner: string; variable: string }[] = [
    ...PROCESS_NAMES.map((name) => ({ port: config.ports[name], owner: name, variable: PORTS[name].variable as string })),
    { port: config.mongodbPort, owner: 'MongoDB', variable: 'MONGODB_PORT' },
    { port: config.redisPort, owner: 'Redis', variable: 'REDIS_PORT' },
    { port: config.chainNodePort, owner: 'the local chain', variable: 'CHAIN_NODE_PORT' },
  ];
  return list.flatMap(({ port: number, ...rest }) => (number === undefined || number === 0 ? [] : [{ port: number, ...rest }]));
};

const rejectSharedPorts = (config: LocalConfig): void => {
  const seen = new Map<number, string>();
  for (const { port: number, variable } of portList(config)) {
    const other = seen.get(number);
    if (other !== undefined) throw new ConfigError(`${other} and ${variable} are both ${number}: use different ports.`);
    seen.set(number, variable);
  }
};

const value = (env: NodeJS.ProcessEnv, variable: string): string | undefined => {
  const text = env[variable]?.trim();
  return text === '' ? undefined : text;
};

const port = (env: NodeJS.ProcessEnv, variable: string): number | undefined => {
  const text = value(env, variable);
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new ConfigError(`${variable} must be a port from 0 to 65535, not "${text}".`);
  return Number(text);
};

const flag = (env: NodeJS.ProcessEnv, variable: string): boolean | undefined => {
  const text = value(env, variable)?.toLowerCase();
  if (text === undefined) return undefined;
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off'].includes(text)) return false;
  throw new ConfigError(`${variable} must be true or false, not "${text}".`);
};
