import { readFileSync } from 'node:fs';
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process environment. The only place of the platform's services that touches it. */
// biome-ignore lint/style/noProcessEnv: this is the one place
export const processEnvironment = (): Environment => process.env;

/** A configuration value is missing or wrong. The message names the variable and never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const readValue = (env: Environment, name: string): string | undefined => {
  const direct = env[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names a file that cannot be read`, { cause });
  }
};

/**
 * Reads and validates the variables that `shape` names. Each may also come from the file that `<NAME>_FILE` names,
 * as mounted secrets do.
 * @throws ConfigError that lists every bad variable by name
 */
export const loadConfig = <S extends z.ZodRawShape>(shape: S, env: Environment): z.output<z.ZodObject<S>> => {
  const values: Record<string, string> = {};
  for (const name of Object.keys(shape)) {
    const value = readValue(env, name);
    if (value !== undefined) values[name] = value;
  }
  const parsed = z.object(shape).safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? 'configuration');
    return `${name}: ${Object.hasOwn(values, name) ? issue.message : 'is required'}`;
  });
  throw new ConfigError([...new Set(problems)].join('; '));
};
