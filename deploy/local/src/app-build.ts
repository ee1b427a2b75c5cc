import { join } from 'node:path';
import { runStep } from './processes/run-step.ts';
import { type Report, reasonOf } from './report.ts';

/** As long as a loaded machine may take; a build takes seconds. */
const BUILD_MS = 180_000;

/**
 * Builds the cardholder's app, unless its sources are those of the last build or the gateway does not serve it. A platform without the app is still one, so
 * a failure is only reported.
 * @returns whether there is an app to look at
 */
export const buildApp = async (
  rootDir: string,
  { env, report, signal }: { env: NodeJS.ProcessEnv; report: Report; signal?: AbortSignal },
): Promise<boolean> => {
  if (env['SERVE_APP'] === 'false') return false;
  try {
    const step = { command: process.execPath, args: [join(rootDir, 'gateway/app/build/main.ts')], env, cwd: rootDir, timeoutMs: BUILD_MS };
    const output = await runStep({ ...step, ...(signal === undefined ? {} : { signal }) });
    for (const line of output.split('\n')) if (line !== '') report(line);
    return true;
  } catch (error) {
    report(`the cardholder's app could not be built: ${reasonOf(error)}`);
    return false;
  }
};
