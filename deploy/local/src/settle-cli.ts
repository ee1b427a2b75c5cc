import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './environment.ts';
import { keyPaths } from './keys.ts';
import { reasonOf } from './report.ts';
import { runOnEngines } from './run-on-engines.ts';

/** Commands that work on the engines. An unknown command is rejected by settlement's program; that needs no engines. */
const COMMANDS = ['import', 'close', 'balances', 'report', 'export'];

const env = processEnvironment();

/** The key that signs closed days on this platform, unless the environment names one or none has been made yet. */
const keyOf = (dataDir: string): NodeJS.ProcessEnv => {
  const { settlementKeyFile } = keyPaths(dataDir);
  const isNamed = env['SETTLEMENT_KEY'] !== undefined || env['SETTLEMENT_KEY_FILE'] !== undefined;
  return isNamed || !existsSync(settlementKeyFile) ? {} : { SETTLEMENT_KEY_FILE: settlementKeyFile };
};

/** `npm run settle -- <command>` */
runOnEngines({
  rootDir: resolve(dirname(fileURLToPath(import.meta.url)), '../../..'),
  env,
  program: 'services/settlement/src/cli/main.ts',
  args: process.argv.slice(2),
  needsEngines: COMMANDS.includes(process.argv[2] ?? ''),
  environment: keyOf,
}).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
