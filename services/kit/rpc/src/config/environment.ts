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

type Reading = { value?: string; problem?: string };

const readValue = (env: Environment, name: string): Reading => {
  const direct = env[name];
  if (direct !== undefined && direct !== '') return { value: direct };
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return {};
  try {
    return { value: readFileSync(file, 'utf8').trim() };
  } catch {
    return { problem: `${name}_FILE: names a file that cannot be read` };
  }
};

/**
 * Reads and validates the variables that `shape` names. Each may also come from the file that `<NAME>_FILE` names,
 * as mounted secrets do.
 * @throws ConfigError that lists every bad variable by name
 */
export const loadConfig = <S extends z.ZodRawShape>(shape: S, env: Environment): z.output<z.ZodObject<S>> => {
  const values: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of Object.keys(shape)) {
    const { value, problem } = readValue(env, name);
    if (value !== undefined) values[name] = value;
    if (problem !== undefined) problems.set(name, problem);
  }
  const parsed = z.object(shape).safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0] ?? 'configuration');
    // The first thing that is wrong with a variable says enough.
    if (!problems.has(name)) problems.set(name, `${name}: ${Object.hasOwn(values, name) ? message : 'is required'}`);
  }
  if (parsed.success && problems.size === 0) return parsed.data;
  throw new ConfigError([...problems.values()].join('; '));
};
