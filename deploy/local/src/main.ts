import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PORTS, PROCESS_NAMES } from './config.ts';
import { processEnvironment } from './environment.ts';
import { requireSupportedNode } from './node-version.ts';
import { type Platform, startPlatform } from './platform.ts';
import { onStopSignals } from './stop-signals.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm start`: runs the whole platform on this machine until Ctrl-C or SIGTERM. */
const main = async (): Promise<void> => {
  requireSupportedNode();
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const cancel = new AbortController();
  const signals = onStopSignals(() => {
    say('Stopping. Press Ctrl-C again to force it.');
    cancel.abort();
  });
  const startedAt = performance.now();
  const platform = await startPlatform({ rootDir, env: processEnvironment(), report: say, signal: cancel.signal }).catch(
    (error: unknown) => {
      if (!cancel.signal.aborted) throw error;
    },
  );
  if (platform === undefined) return say('Stopped before the start was complete.');
  signals.onForce(platform.kill);
  for (const line of welcome(platform, (performance.now() - startedAt) / 1000)) say(line);
  await signals.requested;
  await platform.stop();
  say('Stopped.');
};

/** The addresses and hints that a user needs once the platform is ready. */
const welcome = ({ urls, dataDir, hasApp, backOfficeUrl, enrolmentUrl }: Platform, seconds: number): string[] => {
  const directory = relative(process.cwd(), dataDir) || dataDir;
  const width = Math.max(...PROCESS_NAMES.map((name) => name.length));
  return [
    '',
    `Florin is ready (${seconds.toFixed(1)} s).`,
    '',
    ...PROCESS_NAMES.flatMap((name) =>
      urls[name] === undefined ? [] : [`  ${name.padEnd(width)}  ${urls[name]}  (set by ${PORTS[name].variable})`],
    ),
    '',
    ...(hasApp ? [`  App            ${urls.gateway}/app`] : []),
    `  Back office    ${backOfficeUrl}`,
    ...(enrolmentUrl === undefined ? [] : [`                 its first operator enrols once at ${enrolmentUrl}`]),
    ...(urls.chainNode === undefined ? [] : [`  Local chain    ${urls.chainNode}  (set by CHAIN_NODE_PORT)`]),
    `  API reference  ${urls.gateway}/docs`,
    `  Data and logs  ${directory}, ${directory}/logs`,
    '  Next           `npm run demo` in another terminal plays the whole story',
    '',
    'Press Ctrl-C to stop.',
  ];
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
