import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const GATEWAY = fileURLToPath(new URL('../..', import.meta.url));

/** Collects the URL of every module that is loaded, by import or require, and prints the list when the process ends. */
const COLLECT = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
const urls = new Set();
registerHooks({
  load: (url, context, nextLoad) => {
    urls.add(url);
    return nextLoad(url, context);
  },
});
process.on('exit', () => writeSync(1, [...urls].join('\\n')));
`;

const packageOf = (url: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];

/**
 * Loads modules in a new process without configuration, so that `main.ts` ends after its import graph is loaded.
 * @param specifiers modules to load in order, relative to the gateway's directory
 * @returns the loaded source files, and the names of the installed packages that were loaded
 */
export const loadedPackages = async (specifiers: readonly string[]): Promise<{ files: string[]; packages: ReadonlySet<string> }> => {
  const imports = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`);
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', [COLLECT, ...imports].join('\n')], {
    cwd: GATEWAY,
    env: {},
    maxBuffer: 64 * 1024 * 1024,
  });
  // Without configuration `main.ts` exits with an error, after its imports.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const files = stdout.split('\n').filter((url) => url.startsWith('file:'));
  return { files, packages: new Set(files.map(packageOf).filter((name) => name !== undefined)) };
};
