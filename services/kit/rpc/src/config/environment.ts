import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { describeUnknown } from '../validation/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process environment. The services read it nowhere else. */
// biome-ignore lint/style/noProcessEnv: the only place that reads it
export const processEnvironment = (): Environment => process.env;

/** A configuration value is missing or invalid. The message names the variable and never contains its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Reading = { value?: string; problem?: string };

const FILE = /_FILE$/;

/** Reports whether a variable names the file of another one that is set itself. */
const isUnused = (env: Environment, name: string): boolean => FILE.test(name) && (env[name.replace(FILE, '')] ?? '') !== '';

const readValue = (env: Environment, name: string): Reading => {
  if (isUnused(env, name)) return {};
  const direct = env[name];
  if (direct !== undefined && direct !== '') return { value: direct };
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return {};
  try {
    return { value: readFileSync(file, 'utf8').trim() };
  } catch {
    return { problem: `${name}_FILE: the named file cannot be read` };
  }
};

/**
 * Reads and validates the variables named by `shape`. A variable that is not set is read from the file named by `<NAME>_FILE`, the
 * convention of mounted secrets. An empty value counts as not set.
 * @throws ConfigError listing every missing or invalid variable by name
 */
export const loadConfig = <S extends z.ZodRawShape>(shape: S, env: Environment): z.output<z.ZodObject<S>> => {
  const values: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of Object.keys(shape)) {
    const { value, problem } = readValue(env, name);
    if (value !== undefined) values[name] = value;
    if (problem !== undefined) problems.set(name, problem);
  }
  const parsed = z.object(shape).safeParse(values, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? describeUnknown(issue) : undefined),
  });
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0] ?? 'configuration');
    // Report only the first problem of each variable.
    if (!problems.has(name)) problems.set(name, `${name}: ${Object.hasOwn(values, name) ? message : 'is required'}`);
  }
  if (parsed.success && problems.size === 0) return parsed.data;
  throw new ConfigError([...problems.values()].join('; '));
};
