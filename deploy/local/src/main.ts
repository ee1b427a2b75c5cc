import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from './environment.ts';
import { refuseOldNode } from './node-version.ts';
import { describePlatform, startPlatform } from './platform.ts';
import { onStopSignals } from './stop-signals.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm start`: the whole platform on this machine until Ctrl-C or SIGTERM. */
async function main(): Promise<void> {
  refuseOldNode();
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const cancel = new AbortController();
  const signals = onStopSignals(() => {
    say('stopping (once more Ctrl-C to force)');
    cancel.abort();
  });
  const startedAt = performance.now();
  const platform = await startPlatform({ rootDir, env: processEnvironment(), report: say, signal: cancel.signal }).catch(
    (error: unknown) => {
      if (!cancel.signal.aborted) throw error;
    },
  );
  if (platform === undefined) return say('stopped before everything was up');
  signals.onForce(() => platform.kill());
  say('');
  say(`Florin is ready (${((performance.now() - startedAt) / 1000).toFixed(1)} s):`);
  for (const line of describePlatform(platform)) say(`  ${line}`);
  say(`  Reference of the REST interface: ${platform.urls.gateway}/docs`);
  say(`  Data and logs: ${relative(process.cwd(), platform.dataDir) || platform.dataDir}`);
  say('`npm run demo` in another terminal plays the whole story. Ctrl-C stops everything.');
  await signals.asked;
  await platform.stop();
  say('stopped');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exit(1);
  },
);
