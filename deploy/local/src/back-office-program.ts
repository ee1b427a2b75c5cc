import { PORTS } from './config.ts';
import { keyPaths } from './keys.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { runOnEngines } from './run-on-engines.ts';
import { backOfficeUrl } from './service-processes.ts';

/** The commands of the back office's command line. */
const COMMANDS: readonly (string | undefined)[] = ['invite', 'first', 'verify-audit-log'];

/** Runs the back office's command line on the engines of the platform. @returns its exit code */
export const runBackOffice = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runOnEngines({
    env,
    program: 'gateway/back-office/src/cli/main.ts',
    args,
    needsEngines: COMMANDS.includes(args[0]),
    // The key of the audit log, and where the back office was started last.
    environment: (dataDir) => {
      const port = Number(new URL(readPlatformUrls(dataDir)['back-office']).port) || PORTS['back-office'].default;
      return { SERVICE_KEY_FILE: keyPaths(dataDir).keyFile('back-office'), BACK_OFFICE_URL: backOfficeUrl(env, port) };
    },
  });
