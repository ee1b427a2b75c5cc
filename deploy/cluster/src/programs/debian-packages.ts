import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '@florin/local';
import type { Preparation } from '../preparation.ts';

const TIMEOUT_MS = 5 * 60_000;

/**
 * Downloads packages of Debian and unpacks them into one directory, once. Nothing is installed: no service of theirs starts on this machine.
 * @param name of the directory in the cache
 * @returns the directory, which has the layout of a root
 * @throws StepError when a package cannot be downloaded
 */
export const unpackDebianPackages = async (
  name: string,
  packages: readonly string[],
  { cacheDir, env, report, signal }: Preparation,
): Promise<string> => {
  const directory = join(cacheDir, `${name}-${createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)}`);
  if (existsSync(directory)) return directory;
  report(`downloading ${packages.length} packages of Debian (${name}, once per machine)`);
  mkdirSync(cacheDir, { recursive: true });
  const temporary = mkdtempSync(`${directory}.new-`);
  const download = (): Promise<string> =>
    runStep({ command: 'apt-get', args: ['download', ...packages], cwd: temporary, env, timeoutMs: TIMEOUT_MS, signal });
  try {
    await download().catch(async () => {
      // A fresh machine has no package lists.
      await runStep({ command: 'apt-get', args: ['update'], env, timeoutMs: TIMEOUT_MS, signal });
      await download();
    });
    for (const archive of readdirSync(temporary)) {
      await runStep({ command: 'dpkg-deb', args: ['-x', archive, 'root'], cwd: temporary, timeoutMs: TIMEOUT_MS, signal });
    }
    if (!existsSync(directory)) renameSync(join(temporary, 'root'), directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return directory;
};
