import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../files/lock-file.ts';
import { findCommand } from '../processes/command-path.ts';
import { runStep } from '../processes/run-step.ts';
import { reasonOf } from '../report.ts';
import type { Availability, EngineContext } from './provider.ts';

const PACKAGES = 'postgresql-18-documentdb,redis-server';
const DIRECTORY = 'package-root-pg18';

/** Debian suites that carry the packages; the second is for days on which the first cannot be installed. */
const SUITES = ['sid', 'testing'] as const;

/** Where `inPackageRoot` mounts what lives outside; made once here, so that starting an engine changes nothing in the root. */
export const MOUNT_POINTS = ['data', 'run', 'bin'] as const;

const DEBOOTSTRAP_TIMEOUT_MS = 5 * 60_000;

export function packageRootPath(cacheDir: string): string {
  return join(cacheDir, DIRECTORY);
}

/** Whether a package root can be used here, and whether it is there already. */
export async function packageRootAvailability({ cacheDir, env, signal }: EngineContext): Promise<Availability> {
  if (process.platform !== 'linux') return { ok: false, why: 'needs Linux' };
  if (process.getuid?.() !== 0) return { ok: false, why: 'needs root (it runs in a chroot)' };
  for (const tool of ['unshare', 'chroot']) {
    if (findCommand(tool, env) === undefined) return { ok: false, why: `needs ${tool}, which is not on the PATH` };
  }
  const mayMount = await runStep({ command: 'unshare', args: ['--mount', 'true'], timeoutMs: 10_000, signal }).catch(() => undefined);
  if (mayMount === undefined) return { ok: false, why: 'needs the right to make mount namespaces (in a container: --cap-add SYS_ADMIN)' };
  if (existsSync(packageRootPath(cacheDir))) return { ok: true, ready: true };
  if (findCommand('debootstrap', env) !== undefined) return { ok: true, ready: false };
  if (!isDebian()) return { ok: false, why: 'needs debootstrap, which is not installed, and this is not Debian' };
  if (findCommand('apt-get', env) === undefined) return { ok: false, why: 'needs debootstrap, and there is no apt-get' };
  return { ok: true, ready: false };
}

const building = new Map<string, Promise<string>>();

/** The package root's path; fetched first when it is not there. Both engines ask for it, it is made once. */
export function ensurePackageRoot(context: EngineContext): Promise<string> {
  const path = packageRootPath(context.cacheDir);
  const current = building.get(path) ?? provide(path, context).finally(() => building.delete(path));
  building.set(path, current);
  return current;
}

/**
 * Builds under a name of its own and renames when complete: what has the final name is whole. The lock keeps a second
 * start from doing the same work; what a killed build left is removed by the next one.
 */
async function provide(path: string, context: EngineContext): Promise<string> {
  if (existsSync(path)) return path;
  const { cacheDir, report, signal } = context;
  const lock = await waitForLock(`${path}.lock`, (pid) => report(`waiting for process ${pid}, which is fetching the packages`), signal);
  try {
    if (existsSync(path)) return path;
    for (const name of readdirSync(cacheDir)) {
      if (name.startsWith(`${DIRECTORY}.building-`)) rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
    await ensureDebootstrap(context);
    const target = `${path}.building-${process.pid}`;
    await fetchPackages(target, context);
    for (const point of MOUNT_POINTS) mkdirSync(join(target, 'srv/florin', point), { recursive: true });
    renameSync(target, path);
    return path;
  } finally {
    lock.release();
  }
}

async function fetchPackages(target: string, context: EngineContext): Promise<void> {
  const { report, signal } = context;
  const source = await aptSource(context);
  const logPath = join(context.dataDir.logsDir, 'debootstrap.log');
  for (const suite of SUITES) {
    report(`fetching PostgreSQL, DocumentDB and Redis from Debian ${suite} (once per machine, 1 to 2 minutes, 900 MB)`);
    try {
      await runStep({
        // Namespaces of its own: mounts and processes end with debootstrap, even when it is killed.
        command: 'unshare',
        args: [
          ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc', '--'],
          ...['debootstrap', '--variant=minbase', `--include=${PACKAGES}`, suite, target],
          ...(source.mirror === undefined ? [] : [source.mirror]),
        ],
        env: { ...context.env, ...source.proxy, PATH: `${context.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
        timeoutMs: DEBOOTSTRAP_TIMEOUT_MS,
        logPath,
        signal,
      });
      return;
    } catch (error) {
      rmSync(target, { recursive: true, force: true });
      signal.throwIfAborted();
      if (suite === SUITES.at(-1)) throw new Error(`debootstrap did not succeed (${reasonOf(error)}; see ${logPath})`, { cause: error });
      report(`Debian ${suite} cannot be used now: ${reasonOf(error)}`);
    }
  }
}

async function ensureDebootstrap({ env, report, signal }: EngineContext): Promise<void> {
  if (findCommand('debootstrap', env) !== undefined) return;
  report('installing the Debian package debootstrap with apt-get');
  const install = (): Promise<string> =>
    runStep({
      command: 'apt-get',
      args: ['install', '--yes', '--no-install-recommends', 'debootstrap'],
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: 120_000,
      signal,
    });
  try {
    await install();
  } catch {
    // A fresh machine has no package lists yet.
    await runStep({ command: 'apt-get', args: ['update'], env, timeoutMs: 120_000, signal });
    await install();
  }
}

/** The Debian mirror and proxy that this machine's apt uses; debootstrap's default where apt names none. */
async function aptSource({ env, signal }: EngineContext): Promise<{ mirror: string | undefined; proxy: NodeJS.ProcessEnv }> {
  if (!isDebian()) return { mirror: undefined, proxy: {} };
  const ask = (command: string, args: string[]): Promise<string> =>
    runStep({ command, args, env, timeoutMs: 10_000, signal }).catch(() => '');
  const targets = await ask('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const proxy = (await ask('apt-config', ['shell', 'PROXY', 'Acquire::http::Proxy'])).match(/PROXY='([^']+)'/)?.[1];
  return {
    mirror: chooseMirror(targets.split('\n')),
    proxy: proxy === undefined || proxy === 'DIRECT' ? {} : { http_proxy: proxy },
  };
}

/** The first address that is a Debian archive rather than its security or some other repository. */
export function chooseMirror(uris: readonly string[]): string | undefined {
  return uris.map((uri) => uri.trim().replace(/\/+$/, '')).find((uri) => /^(https?|file):.*\/debian$/.test(uri));
}

function isDebian(): boolean {
  try {
    return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}
