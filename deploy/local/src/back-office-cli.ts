import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PORTS } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths } from './keys.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { reasonOf } from './report.ts';
import { runOnEngines } from './run-on-engines.ts';
import { backOfficeUrl } from './service-processes.ts';

const env = processEnvironment();

/** The key of the audit log, and where the back office was started last. */
const ofPlatform = (dataDir: string): NodeJS.ProcessEnv => {
  const port = Number(new URL(readPlatformUrls(dataDir)['back-office']).port) || PORTS['back-office'].default;
  return { SERVICE_KEY_FILE: keyPaths(dataDir).keyFile('back-office'), BACK_OFFICE_URL: backOfficeUrl(env, port) };
};

/** `npm run back-office -- invite EMAIL --role ROLE` */
runOnEngines({
  rootDir: resolve(dirname(fileURLToPath(import.meta.url)), '../../..'),
  env,
  program: 'gateway/back-office/src/cli/main.ts',
  args: process.argv.slice(2),
  needsEngines: ['invite', 'first'].includes(process.argv[2] ?? ''),
  environment: ofPlatform,
}).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
