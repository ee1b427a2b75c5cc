import { runClientCommand } from './client-command.ts';
import { processEnvironment } from './environment.ts';
import { reasonOf } from './report.ts';

/** `npm run client`. A mistake is printed with all its lines: it may be the usage. */
runClientCommand(process.argv.slice(2), processEnvironment()).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
