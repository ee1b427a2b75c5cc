import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './environment.ts';
import { reasonOf } from './report.ts';
import { runOnEngines } from './run-on-engines.ts';

/** `npm run events -- <command>`. What needs a database is `archive`; everything else is files or a mistake. */
runOnEngines({
  rootDir: resolve(dirname(fileURLToPath(import.meta.url)), '../../..'),
  env: processEnvironment(),
  program: 'services/events/src/cli/main.ts',
  args: process.argv.slice(2),
  needsEngines: process.argv[2] === 'archive',
}).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
