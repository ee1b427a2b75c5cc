import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../files/lock-file.ts';
import { findCommand, isExecutable } from '../processes/command-path.ts';
import { runStep } from '../processes/run-step.ts';
import type { Report } from '../report.ts';
import type { Availability } from './provider.ts';

const BUILD_TIMEOUT_MS = 5 * 60_000;

/** A program that is built from its sources with Go, once per machine. */
export type GoProgram = {
  /** Name in messages. */
  title: string;
  /** Name of the executable. */
  program: string;
  /** Path of its package. */
  module: string;
  version: string;
};

type BuildContext = { env: NodeJS.ProcessEnv; cacheDir: string; report: Report; signal: AbortSignal };

const directoryOf = ({ program, version }: GoProgram): string => `${program}-${version}`;

/** Reports whether the program can be used on this machine, and whether it has been built. */
export const goProgramAvailability = (wanted: GoProgram, { cacheDir, env }: Pick<BuildContext, 'cacheDir' | 'env'>): Availability => {
  if (isExecutable(join(cacheDir, directoryOf(wanted), wanted.program))) return { ok: true, ready: true };
  if (findGo(env) === undefined) {
    return { ok: false, why: `requires Go to build ${wanted.title}, and \`go\` is not on the PATH` };
  }
  return { ok: true, ready: false };
};

/** Returns the directory of the program in the cache directory and builds it first if necessary. */
export const ensureGoProgram = async (wanted: GoProgram, { cacheDir, env, report, signal }: BuildContext): Promise<string> => {
  const { title, version, module } = wanted;
  const directory = directoryOf(wanted);
  const path = join(cacheDir, directory);
  const program = join(path, wanted.program);
  if (isExecutable(program)) return path;
  const lock = await waitForLock(`${path}.lock`, (pid) => report(`waiting for process ${pid}, which is building ${title}`), signal);
  try {
    if (isExecutable(program)) return path;
    for (const name of readdirSync(cacheDir)) {
      if (name.startsWith(`${directory}.building-`)) rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
    const target = `${path}.building-${process.pid}`;
    mkdirSync(target);
    const go = findGo(env);
    if (go === undefined) throw new Error('`go` is not on the PATH');
    report(`building ${title} ${version} with Go (1 to 2 minutes, once per machine)`);
    await runStep({
      command: go,
      args: ['install', `${module}@v${version}`],
      // Without cgo, the program does not depend on shared libraries of the machine, so it runs in the package root.
      env: { ...env, GOBIN: target, CGO_ENABLED: '0' },
      cwd: target,
      timeoutMs: BUILD_TIMEOUT_MS,
      signal,
    });
    rmSync(path, { recursive: true, force: true });
    renameSync(target, path);
    return path;
  } finally {
    lock.release();
  }
};

/** Returns the path of the Go command, or undefined. */
export const findGo = (env: NodeJS.ProcessEnv): string | undefined => {
  const go = findCommand('go', env);
  // The directory of Go's installation guide, which is often missing from the PATH of services.
  return go ?? (isExecutable('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : undefined);
};
