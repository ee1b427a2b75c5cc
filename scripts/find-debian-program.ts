import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, runStep } from '../deploy/local/src/index.ts';
import { processEnvironment } from '../services/kit/rpc/src/config/index.ts';
import { run } from './run.ts';

const TIMEOUT_MS = 120_000;

const works = (command: string): Promise<boolean> =>
  run(command, ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  );

/** Unpacks a package of Debian into the cache directory; nothing is installed. */
const unpackPackage = async (name: string, directory: string): Promise<void> => {
  const temporary = mkdtempSync(`${directory}.new-`);
  try {
    await runStep({ command: 'apt-get', args: ['download', name], cwd: temporary, timeoutMs: TIMEOUT_MS });
    const archive = readdirSync(temporary).find((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get downloaded no package');
    await runStep({ command: 'dpkg-deb', args: ['-x', archive, 'root'], cwd: temporary, timeoutMs: TIMEOUT_MS });
    mkdirSync(join(directory, '..'), { recursive: true });
    if (!existsSync(directory)) renameSync(join(temporary, 'root'), directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/**
 * A program that a test compares with: that of the machine, or of Debian's package, which is unpacked once.
 * @returns undefined, after one line that says why, where neither can be had
 */
export const findDebianProgram = async (
  { name, from }: { name: string; from: string },
  report: (line: string) => void,
): Promise<string | undefined> => {
  if (await works(name)) return name;
  const directory = join(cacheDir(processEnvironment()), from);
  const program = join(directory, 'usr/bin', name);
  try {
    if (!existsSync(program)) await unpackPackage(from, directory);
    if (await works(program)) return program;
    report(`${name} is not available: the program of the Debian package does not run`);
  } catch (error) {
    report(`${name} is not available: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
};
