import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../files/lock-file.ts';
import { findCommand } from '../processes/command-path.ts';
import { runStep } from '../processes/run-step.ts';
import { reasonOf } from '../report.ts';
import type { Availability, EngineContext } from './provider.ts';

const PACKAGES = 'postgresql-18-documentdb,redis-server';
const DIRECTORY = 'package-root-pg18';

/** Debian suites that contain the packages. The second is used while the packages of the first cannot be installed. */
const SUITES = ['sid', 'testing'] as const;

/** Mount points of `inPackageRoot`, created with the root, so that starting an engine does not change the root. */
const MOUNT_POINTS = ['data', 'run', 'bin'] as const;

const DEBOOTSTRAP_TIMEOUT_MS = 5 * 60_000;

/** Returns the path of the package root, whether it exists or not. */
const packageRootPath = (cacheDir: string): string => {
  return join(cacheDir, DIRECTORY);
};

/** Reports whether a package root can be used on this machine, and whether it exists. */
export const packageRootAvailability = async ({ cacheDir, env, signal }: EngineContext): Promise<Availability> => {
  if (process.platform !== 'linux') return { ok: false, why: 'requires Linux' };
  if (process.getuid?.() !== 0) return { ok: false, why: 'requires root, because it runs in a chroot' };
  for (const tool of ['unshare', 'chroot']) {
    if (findCommand(tool, env) === undefined) return { ok: false, why: `requires ${tool}, which is not on the PATH` };
  }
  const mayMount = await runStep({ command: 'unshare', args: ['--mount', 'true'], timeoutMs: 10_000, signal }).catch(() => undefined);
  if (mayMount === undefined)
    return { ok: false, why: 'requires the permission to create mount namespaces (in a container: --cap-add SYS_ADMIN)' };
  if (existsSync(packageRootPath(cacheDir))) return { ok: true, ready: true };
  if (findCommand('debootstrap', env) !== undefined) return { ok: true, ready: false };
  if (!isDebian()) return { ok: false, why: 'requires debootstrap, which is not installed and can be installed on Debian only' };
  if (findCommand('apt-get', env) === undefined)
    return { ok: false, why: 'requires debootstrap, which is not installed, and apt-get is not on the PATH' };
  return { ok: true, ready: false };
};

const building = new Map<string, Promise<string>>();

/** Returns the path of the package root and creates it first if necessary. Both engines use it; concurrent calls share one build. */
export const ensurePackageRoot = (context: EngineContext): Promise<string> => {
  const path = packageRootPath(context.cacheDir);
  const current = building.get(path) ?? provide(path, context).finally(() => building.delete(path));
  building.set(path, current);
  return current;
};

/**
 * Builds the root under a temporary name and renames it when it is complete, so that an incomplete root is never used. The lock
 * prevents concurrent builds by several processes; the remains of a killed build are removed by the next one.
 */
const provide = async (path: string, context: EngineContext): Promise<string> => {
  if (existsSync(path)) return path;
  const { cacheDir, report, signal } = context;
  const lock = await waitForLock(`${path}.lock`, (pid) => report(`waiting for process ${pid}, which is downloading the packages`), signal);
  try {
    if (existsSync(path)) return path;
    for (const name of readdirSync(cacheDir)) {
      if (name.startsWith(`${DIRECTORY}.building-`)) rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
    await ensureDebootstrap(context);
    const target = `${path}.building-${process.pid}`;
    await downloadPackages(target, context);
    for (const point of MOUNT_POINTS) mkdirSync(join(target, 'srv/florin', point), { recursive: true });
    renameSync(target, path);
    return path;
  } finally {
    lock.release();
  }
};

const downloadPackages = async (target: string, context: EngineContext): Promise<void> => {
  const { report, signal } = context;
  const source = await aptSource(context);
  const logPath = join(context.dataDir.logsDir, 'debootstrap.log');
  for (const suite of SUITES) {
    report(`downloading PostgreSQL, DocumentDB and Redis from Debian ${suite} (900 MB, 1 to 2 minutes, once per machine)`);
    try {
      await runStep({
        // In its own namespaces, so that its mounts and processes end with it, even when it is killed.
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
      if (suite === SUITES.at(-1)) throw new Error(`debootstrap failed (${reasonOf(error)}; log: ${logPath})`, { cause: error });
      report(`packages of Debian ${suite} cannot be installed: ${reasonOf(error)}`);
    }
  }
};

const ensureDebootstrap = async ({ env, report, signal }: EngineContext): Promise<void> => {
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
    // A fresh machine has no package lists.
    await runStep({ command: 'apt-get', args: ['update'], env, timeoutMs: 120_000, signal });
    await install();
  }
};

/** Returns the Debian mirror and proxy that apt uses on this machine; an undefined mirror means debootstrap's default. */
const aptSource = async ({ env, signal }: EngineContext): Promise<{ mirror: string | undefined; proxy: NodeJS.ProcessEnv }> => {
  if (!isDebian()) return { mirror: undefined, proxy: {} };
  const outputOf = (command: string, args: string[]): Promise<string> =>
    runStep({ command, args, env, timeoutMs: 10_000, signal }).catch(() => '');
  const targets = await outputOf('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const proxy = (await outputOf('apt-config', ['shell', 'PROXY', 'Acquire::http::Proxy'])).match(/PROXY='([^']+)'/)?.[1];
  return {
    mirror: chooseMirror(targets.split('\n')),
    proxy: proxy === undefined || proxy === 'DIRECT' ? {} : { http_proxy: proxy },
  };
};

/** Returns the first URI of a Debian archive; security and other repositories do not count. */
export const chooseMirror = (uris: readonly string[]): string | undefined => {
  return uris.map((uri) => uri.trim().replace(/\/+$/, '')).find((uri) => /^(https?|file):.*\/debian$/.test(uri));
};

const isDebian = (): boolean => {
  try {
    return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
};
