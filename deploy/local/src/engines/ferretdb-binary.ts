import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../files/lock-file.ts';
import { findCommand, isExecutable } from '../processes/command-path.ts';
import { runStep } from '../processes/run-step.ts';
import type { Availability, EngineContext } from './provider.ts';

const VERSION = '2.7.0';
const MODULE = `github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v${VERSION}`;
const DIRECTORY = `ferretdb-${VERSION}`;
const BUILD_TIMEOUT_MS = 5 * 60_000;

/** Whether FerretDB can be used on this machine, and whether it has been built. */
export const ferretdbAvailability = ({ cacheDir, env }: EngineContext): Availability => {
  if (isExecutable(join(cacheDir, DIRECTORY, 'ferretdb'))) return { ok: true, ready: true };
  if (findGo(env) === undefined) return { ok: false, why: 'requires Go to build FerretDB, and `go` is not on the PATH' };
  return { ok: true, ready: false };
};

/** Returns the directory of the `ferretdb` program and builds it first if necessary, in the same way as the package root. */
export const ensureFerretdb = async ({ cacheDir, env, report, signal }: EngineContext): Promise<string> => {
  const path = join(cacheDir, DIRECTORY);
  const program = join(path, 'ferretdb');
  if (isExecutable(program)) return path;
  const lock = await waitForLock(`${path}.lock`, (pid) => report(`waiting for process ${pid}, which is building FerretDB`), signal);
  try {
    if (isExecutable(program)) return path;
    for (const name of readdirSync(cacheDir)) {
      if (name.startsWith(`${DIRECTORY}.building-`)) rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
    const target = `${path}.building-${process.pid}`;
    mkdirSync(target);
    const go = findGo(env);
    if (go === undefined) throw new Error('`go` is not on the PATH');
    report(`building FerretDB ${VERSION} with Go (1 to 2 minutes, once per machine)`);
    await runStep({
      command: go,
      args: ['install', MODULE],
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
const findGo = (env: NodeJS.ProcessEnv): string | undefined => {
  const go = findCommand('go', env);
  // The directory of Go's installation guide, which is often missing from the PATH of services.
  return go ?? (isExecutable('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : undefined);
};
