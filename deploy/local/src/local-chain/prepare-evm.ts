import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { waitForLock } from '../files/lock-file.ts';
import { runStep, StepError } from '../processes/run-step.ts';
import { reasonOf } from '../report.ts';

const DIRECTORY = join(import.meta.dirname, '../../../../services/kit/evm/hardhat');
const INSTALL_MS = 180_000;
const LOAD_MS = 30_000;

/**
 * Installs Hardhat in services/kit/evm/hardhat unless the versions of its lockfile are installed. Returns whether the EVM can run and otherwise
 * reports the reason in one line. The stamp is written last, after the native engine has been loaded, so that an incomplete
 * installation is never used.
 */
export const prepareEvm = async (env: NodeJS.ProcessEnv, report: (line: string) => void): Promise<boolean> => {
  try {
    const lockText = await readFile(join(DIRECTORY, 'package-lock.json'), 'utf8');
    const native = nativePackage(lockText);
    const stamp = `${createHash('sha256').update(lockText).digest('hex')} ${native}\n`;
    if (await isStamped(stamp)) return true;
    await mkdir(join(DIRECTORY, '.florin'), { recursive: true });
    const lock = await waitForLock(join(DIRECTORY, '.florin/install.lock'), (pid) =>
      report(`EVM: waiting for process ${pid}, which is installing Hardhat`),
    );
    try {
      if (await isStamped(stamp)) return true;
      report('EVM: installing Hardhat (once per checkout)');
      await install(native, env);
      await writeFile(join(DIRECTORY, 'node_modules/.florin-stamp'), stamp);
      return true;
    } finally {
      lock.release();
    }
  } catch (error) {
    report(`EVM: not available: ${whyNot(error)}`);
    return false;
  }
};

/** npm prints the reason in its first lines and the path of its log in the last one. */
const whyNot = (error: unknown): string => {
  if (!(error instanceof StepError)) return reasonOf(error);
  const lines = error.output.split('\n').flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? []);
  return lines.length === 0 ? error.message : `npm: ${lines.slice(0, 2).join(', ')}`;
};

const isStamped = async (stamp: string): Promise<boolean> =>
  (await readFile(join(DIRECTORY, 'node_modules/.florin-stamp'), 'utf8').catch(() => '')) === stamp;

/** Returns the package of Hardhat's native engine for this machine, with the version in the lockfile. */
const nativePackage = (lockText: string): string => {
  const lock: { packages: Record<string, { version: string; optionalDependencies?: Record<string, string> }> } = JSON.parse(lockText);
  const engine = lock.packages['node_modules/@nomicfoundation/edr'];
  const { platform, arch } = process;
  const libc = { linux: isGlibc() ? '-gnu' : '-musl', win32: '-msvc' }[platform as string] ?? '';
  const name = `@nomicfoundation/edr-${platform}-${arch}${libc}`;
  const version = engine?.optionalDependencies?.[name];
  if (version === undefined) throw new Error(`Hardhat has no engine for ${platform}-${arch}${libc}`);
  return `${name}@${version}`;
};

const isGlibc = (): boolean => {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
};

/**
 * Installs the versions of the lockfile, without changing it, and the native engine for this machine. Not `npm ci`: it rejects a lockfile
 * without the engines of all platforms and skips engines that require a newer Node than npm's own.
 */
const install = async (native: string, env: NodeJS.ProcessEnv): Promise<void> => {
  await rm(join(DIRECTORY, 'node_modules'), { recursive: true, force: true });
  // With the Node that npm belongs to: Debian's npm does not run on the one in node_modules/.bin.
  const path = (env['PATH'] ?? '').split(delimiter).filter((entry) => !/node_modules[/\\]\.bin$/.test(entry));
  await runStep({
    command: 'npm',
    args: ['install', '--prefix', DIRECTORY, '--no-save', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000', native],
    env: { ...env, PATH: path.join(delimiter) },
    cwd: DIRECTORY,
    timeoutMs: INSTALL_MS,
  });
  await runStep({ command: process.execPath, args: ['-e', "require('@nomicfoundation/edr')"], cwd: DIRECTORY, timeoutMs: LOAD_MS });
};
