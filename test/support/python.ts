import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';

const INSTALL_MS = 300_000;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Installs a Python package with its dependencies into a virtual environment in the cache directory, once.
 * @param requirement name and exact version, for example `schemathesis==4.32.0`
 * @returns the path of the environment's directory of programs, or undefined, after one line that says why, where Python is missing or the
 * installation fails
 */
export const pythonTools = async (requirement: string, report: (line: string) => void): Promise<string | undefined> => {
  const env = processEnvironment();
  const directory = join(cacheDir(env), requirement.replace('==', '-'));
  const programs = join(directory, 'bin');
  const stamp = join(directory, 'installed');
  try {
    if (await exists(stamp)) return programs;
    report(`Python tools: installing ${requirement} (once)`);
    await runStep({ command: 'python3', args: ['-m', 'venv', '--clear', directory], env, timeoutMs: INSTALL_MS });
    await runStep({
      command: join(programs, 'python'),
      args: ['-m', 'pip', 'install', '--quiet', requirement],
      env,
      timeoutMs: INSTALL_MS,
    });
    await runStep({
      command: join(programs, 'python'),
      args: ['-c', `open(${JSON.stringify(stamp)}, 'w').close()`],
      env,
      timeoutMs: INSTALL_MS,
    });
    return programs;
  } catch (error) {
    report(`Python tools: ${requirement} is not available: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    return undefined;
  }
};
