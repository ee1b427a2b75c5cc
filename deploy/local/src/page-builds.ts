import { join } from 'node:path';
import { runStep } from './processes/run-step.ts';
import { type Report, reasonOf } from './report.ts';

/** As long as a loaded machine may take; a build takes seconds. */
const BUILD_MS = 180_000;

type Circumstances = { env: NodeJS.ProcessEnv; report: Report; signal?: AbortSignal };

/** Runs the build of a package of pages. A platform without its pages is still one, so a failure is only reported. */
const build = async (rootDir: string, directory: string, what: string, { env, report, signal }: Circumstances): Promise<boolean> => {
  try {
    const step = { command: process.execPath, args: [join(rootDir, directory, 'build/main.ts')], env, cwd: rootDir, timeoutMs: BUILD_MS };
    const output = await runStep({ ...step, ...(signal === undefined ? {} : { signal }) });
    for (const line of output.split('\n')) if (line !== '') report(line);
    return true;
  } catch (error) {
    report(`${what} could not be built: ${reasonOf(error)}`);
    return false;
  }
};

/**
 * Builds the cardholder's app and the pages of the back office, unless their sources are those of the last build, or the gateway does not serve the app.
 * @returns whether there is an app to look at
 */
export const buildPages = async (rootDir: string, circumstances: Circumstances): Promise<boolean> => {
  const isServed = circumstances.env['SERVE_APP'] !== 'false';
  const app = isServed && build(rootDir, 'gateway/app', "the cardholder's app", circumstances);
  const [hasApp] = await Promise.all([app, build(rootDir, 'gateway/back-office/pages', 'the back office', circumstances)]);
  return hasApp;
};
