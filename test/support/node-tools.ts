import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheDir, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { ROOT } from './settings.ts';

const INSTALL_MS = 300_000;

/**
 * Installs npm packages into a folder of their own in the cache directory, once: for programs that do not work beside the project's own
 * dependencies, for example because they need another TypeScript.
 * @param dependencies names and exact versions
 * @returns the folder, or undefined, after one line that says why, when the installation fails
 */
export const nodeTools = async (dependencies: Record<string, string>, report: (line: string) => void): Promise<string | undefined> => {
  const env = processEnvironment();
  const key = createHash('sha256').update(JSON.stringify(dependencies)).digest('hex').slice(0, 12);
  const folder = join(cacheDir(env), `node-tools-${key}`);
  const stamp = join(folder, 'installed');
  try {
    if (existsSync(stamp)) return folder;
    report(`Node tools: installing ${Object.keys(dependencies).join(', ')} (once)`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    await installPackages('install', folder);
    await writeFile(stamp, '');
    return folder;
  } catch (error) {
    report(`Node tools: not available: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    return undefined;
  }
};

/** Runs npm in a folder, without the scripts of the packages. @throws StepError */
const installPackages = async (command: 'install' | 'ci', folder: string): Promise<void> => {
  const env = processEnvironment();
  // With the Node that npm belongs to: Debian's npm does not run on the one in node_modules/.bin.
  const path = (env['PATH'] ?? '').split(delimiter).filter((entry) => !/node_modules[/\\]\.bin$/.test(entry));
  const args = [command, '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];
  await runStep({ command: 'npm', args, env: { ...env, PATH: path.join(delimiter) }, cwd: folder, timeoutMs: INSTALL_MS });
};

/**
 * Brings an earlier version of the project, with its own packages, into a folder in the cache directory, once.
 * @returns the folder, or undefined, after one line that says why, when the history or the registry is missing
 */
export const earlierVersion = async (commit: string, report: (line: string) => void): Promise<string | undefined> => {
  const folder = join(cacheDir(processEnvironment()), `version-${commit}`);
  const stamp = join(folder, 'installed');
  try {
    if (existsSync(stamp)) return folder;
    report(`Version ${commit}: installing its packages (once)`);
    await mkdir(folder, { recursive: true });
    const archive = join(folder, 'source.tar');
    await runStep({ command: 'git', args: ['archive', `--output=${archive}`, commit], cwd: ROOT, timeoutMs: INSTALL_MS });
    await runStep({ command: 'tar', args: ['-xf', archive], cwd: folder, timeoutMs: INSTALL_MS });
    await installPackages('ci', folder);
    await writeFile(stamp, '');
    return folder;
  } catch (error) {
    report(`Version ${commit}: not available: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    return undefined;
  }
};
