import { parseArgs } from 'node:util';
import { startEngines } from './engines/start-engines.ts';
import { processEnvironment } from './environment.ts';
import { reasonOf } from './report.ts';
import { onStopSignals } from './stop-signals.ts';

/**
 * `npm run engines -- --data-dir DIR`: runs MongoDB and Redis without the services, until Ctrl-C or SIGTERM.
 * Progress goes to stderr; stdout gets a single line for use in a shell: `MONGODB_URI=… REDIS_URL=…`.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string', default: '.florin' } } });
  const cancel = new AbortController();
  const stopped = onStopSignals(() => cancel.abort(new Error('cancelled')));
  const engines = await startEngines({
    dataDir: values['data-dir'],
    env: processEnvironment(),
    report: (line) => process.stderr.write(`${line}\n`),
    signal: cancel.signal,
  });
  stopped.onForce(() => engines.kill());
  process.stdout.write(`MONGODB_URI=${engines.mongodbUri} REDIS_URL=${engines.redisUrl}\n`);
  await stopped.requested;
  await engines.stop();
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : reasonOf(error)}\n`);
    process.exit(1);
  },
);
