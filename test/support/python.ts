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
 * Installs Python packages with their dependencies into a virtual environment in the cache directory, once.
 * @param requirements names and exact versions, for example `schemathesis==4.32.0`; the first names the environment
 * @returns the path of the environment's directory of programs, or undefined, after one line that says why, where Python is missing or the
 * installation fails
 */
export const pythonTools = async (
  requirements: readonly [string, ...string[]],
  report: (line: string) => void,
): Promise<string | undefined> => {
  const env = processEnvironment();
  const directory = join(cacheDir(env), requirements[0].replace('==', '-'));
  const programs = join(directory, 'bin');
  const stamp = join(directory, 'installed');
  try {
    if (await exists(stamp)) return programs;
    report(`Python tools: installing ${requirements.join(', ')} (once)`);
    await runStep({ command: 'python3', args: ['-m', 'venv', '--clear', directory], env, timeoutMs: INSTALL_MS });
    await runStep({
      command: join(programs, 'python'),
      args: ['-m', 'pip', 'install', '--quiet', ...requirements],
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
    report(`Python tools: ${requirements[0]} is not available: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    return undefined;
  }
};
