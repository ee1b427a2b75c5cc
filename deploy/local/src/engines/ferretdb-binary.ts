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

export function ferretdbAvailability({ cacheDir, env }: EngineContext): Availability {
  if (isExecutable(join(cacheDir, DIRECTORY, 'ferretdb'))) return { ok: true, ready: true };
  if (findGo(env) === undefined) return { ok: false, why: 'needs Go to build FerretDB, and there is no `go` on the PATH' };
  return { ok: true, ready: false };
}

/** The directory that holds the `ferretdb` program; built first when it is not there, as the package root is. */
export async function ensureFerretdb({ cacheDir, env, report, signal }: EngineContext): Promise<string> {
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
    if (go === undefined) throw new Error('there is no `go` on the PATH');
    report(`building FerretDB ${VERSION} with Go (once per machine, 1 to 2 minutes)`);
    await runStep({
      command: go,
      args: ['install', MODULE],
      // Without cgo it depends on no library, so it runs in the package root whatever machine built it.
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
}

function findGo(env: NodeJS.ProcessEnv): string | undefined {
  const go = findCommand('go', env);
  // Where Go's own installation guide puts it, a directory that a service's PATH rarely has.
  return go ?? (isExecutable('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : undefined);
}
