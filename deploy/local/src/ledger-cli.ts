import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './environment.ts';
import { keyPaths } from './keys.ts';
import { reasonOf } from './report.ts';
import { runOnEngines } from './run-on-engines.ts';

/** Commands that work on the engines. An unknown command is rejected by the ledger's program; that needs no engines. */
const COMMANDS = ['verify', 'rebuild', 'snapshot', 'prove', 'export', 'import', 'archive'];

const env = processEnvironment();

/** The key that signs heads on this platform, unless the environment names one or none has been made yet. */
const headKeyOf = (dataDir: string): NodeJS.ProcessEnv => {
  const { ledgerHeadKeyFile } = keyPaths(dataDir);
  const isNamed = env['LEDGER_HEAD_KEY'] !== undefined || env['LEDGER_HEAD_KEY_FILE'] !== undefined;
  return isNamed || !existsSync(ledgerHeadKeyFile) ? {} : { LEDGER_HEAD_KEY_FILE: ledgerHeadKeyFile };
};

/** `npm run ledger -- <command>` */
runOnEngines({
  rootDir: resolve(dirname(fileURLToPath(import.meta.url)), '../../..'),
  env,
  program: 'services/ledger/src/cli/main.ts',
  args: process.argv.slice(2),
  needsEngines: COMMANDS.includes(process.argv[2] ?? ''),
  environment: headKeyOf,
}).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
