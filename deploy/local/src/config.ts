import { join, resolve } from 'node:path';

/** The processes of the platform, in the order in which they are printed, with their port variable and its default. */
export const PORTS = {
  gateway: { variable: 'PORT', default: 8080 },
  identity: { variable: 'IDENTITY_PORT', default: 50051 },
  card: { variable: 'CARD_PORT', default: 50052 },
  ledger: { variable: 'LEDGER_PORT', default: 50053 },
  threeds: { variable: 'THREEDS_PORT', default: 50054 },
} as const;

export type ProcessName = keyof typeof PORTS;
export const PROCESS_NAMES = Object.keys(PORTS) as ProcessName[];

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export type LocalConfig = {
  dataDir: string;
  /** 0 chooses a free one. */
  ports: Record<ProcessName, number>;
  mongodbPort: number | undefined;
  redisPort: number | undefined;
  sandbox: boolean;
  logLevel: string;
};

/** A variable of the environment is wrong; the message names it. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Everything that the launcher itself reads from the environment. What it does not know is passed to the services as it is.
 * @throws ConfigError
 */
export function readConfig(env: NodeJS.ProcessEnv, rootDir: string): LocalConfig {
  const ports = Object.fromEntries(PROCESS_NAMES.map((name) => [name, port(env, PORTS[name].variable) ?? PORTS[name].default])) as Record<
    ProcessName,
    number
  >;
  const config: LocalConfig = {
    dataDir: resolve(rootDir, value(env, 'FLORIN_DATA_DIR') ?? join(rootDir, '.florin')),
    ports,
    ...enginePorts(env),
    sandbox: flag(env, 'SANDBOX') ?? true,
    logLevel: value(env, 'LOG_LEVEL') ?? 'info',
  };
  if (!LOG_LEVELS.includes(config.logLevel)) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  refuseDoubles(config);
  return config;
}

/** The ports asked for by name; undefined lets the engine take a free one. @throws ConfigError */
export function enginePorts(env: NodeJS.ProcessEnv): { mongodbPort: number | undefined; redisPort: number | undefined } {
  const asked = (variable: string): number | undefined => port(env, variable) || undefined;
  return { mongodbPort: asked('MONGODB_PORT'), redisPort: asked('REDIS_PORT') };
}

/** Every port that was asked for, with the variable that sets it and whose it is. */
export function portList(
  config: Pick<LocalConfig, 'ports' | 'mongodbPort' | 'redisPort'>,
): { port: number; owner: string; variable: string }[] {
  const list: { port: number | undefined; owner: string; variable: string }[] = [
    ...PROCESS_NAMES.map((name) => ({ port: config.ports[name], owner: name, variable: PORTS[name].variable as string })),
    { port: config.mongodbPort, owner: 'MongoDB', variable: 'MONGODB_PORT' },
    { port: config.redisPort, owner: 'Redis', variable: 'REDIS_PORT' },
  ];
  return list.flatMap(({ port: number, ...rest }) => (number === undefined || number === 0 ? [] : [{ port: number, ...rest }]));
}

function refuseDoubles(config: LocalConfig): void {
  const seen = new Map<number, string>();
  for (const { port: number, variable } of portList(config)) {
    const other = seen.get(number);
    if (other !== undefined) throw new ConfigError(`${other} and ${variable} are both ${number}: give each a port of its own.`);
    seen.set(number, variable);
  }
}

function value(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  const text = env[variable]?.trim();
  return text === '' ? undefined : text;
}

function port(env: NodeJS.ProcessEnv, variable: string): number | undefined {
  const text = value(env, variable);
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new ConfigError(`${variable} must be a port from 0 to 65535, not "${text}".`);
  return Number(text);
}

function flag(env: NodeJS.ProcessEnv, variable: string): boolean | undefined {
  const text = value(env, variable)?.toLowerCase();
  if (text === undefined) return undefined;
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off'].includes(text)) return false;
  throw new ConfigError(`${variable} must be true or false, not "${text}".`);
}
