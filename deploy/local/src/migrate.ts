import { join } from 'node:path';
import { PROCESS_NAMES } from './config.ts';
import { processEnvironment } from './environment.ts';
import { ROOT_DIR, runMain } from './run-main.ts';
import { runProgram, withEngines } from './run-on-engines.ts';

/** Runs the migrations of every service that has a database of its own, one after the other. @returns the first exit code that is not 0 */
const run = async (env: NodeJS.ProcessEnv): Promise<number> => {
  for (const service of PROCESS_NAMES.filter((name) => name !== 'gateway' && name !== 'webhooks')) {
    const program = join(ROOT_DIR, service === 'back-office' ? 'gateway' : 'services', service, 'src/migrate.ts');
    const code = await runProgram(program, process.argv.slice(2), env);
    if (code !== 0) return code;
  }
  return 0;
};

/**
 * `npm run migrate`. Uses the MongoDB named by `MONGODB_URI`; if it is not set, that of the running platform; if it is not running, one started on
 * its data for this command.
 */
const main = (): Promise<number> => {
  const env = processEnvironment();
  return env['MONGODB_URI'] ? run(env) : withEngines(env, ({ mongodbUri }) => run({ ...env, MONGODB_URI: mongodbUri }));
};

runMain(main, process.exit);
