import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessName } from '../config.ts';

const DIRECTORIES: Record<ProcessName, string> = {
  gateway: 'gateway/src',
  identity: 'services/identity/src',
  card: 'services/card/src',
  ledger: 'services/ledger/src',
  threeds: 'services/threeds/src',
  vault: 'services/vault/src',
  chain: 'services/chain/src',
  events: 'services/events/src',
  webhooks: 'services/events/src/webhooks',
  settlement: 'services/settlement/src',
  notifications: 'services/notifications/src',
  'back-office': 'gateway/back-office/src',
};

/** Fills `rootDir` with stand-ins for all processes, for tests of the launcher. */
export const createFakeCheckout = (rootDir: string): void => {
  const program = fileURLToPath(new URL('./fake-service.ts', import.meta.url));
  writeFileSync(join(rootDir, 'package.json'), '{"type":"module"}');
  for (const directory of Object.values(DIRECTORIES)) {
    mkdirSync(join(rootDir, directory), { recursive: true });
    copyFileSync(program, join(rootDir, directory, 'main.ts'));
  }
  writeAppBuild(rootDir, "console.log('App: built');");
  writeBuild(rootDir, 'gateway/back-office/pages', "console.log('Back office: built');");
  mkdirSync(join(rootDir, DIRECTORIES['back-office'], 'cli'));
  writeFileSync(
    join(rootDir, DIRECTORIES['back-office'], 'cli/main.ts'),
    "console.log('http://localhost:8090/enrol#' + process.argv.slice(2).join('+'));",
  );
};

const writeBuild = (rootDir: string, pages: string, program: string): void => {
  const directory = join(rootDir, pages, 'build');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'main.ts'), program);
};

/** Replaces the build of the cardholder's app. */
export const writeAppBuild = (rootDir: string, program: string): void => writeBuild(rootDir, 'gateway/app', program);

/** Returns the environment that a stand-in was started with. */
export const environmentOf = (rootDir: string, name: ProcessName): NodeJS.ProcessEnv => {
  return JSON.parse(readFileSync(join(rootDir, DIRECTORIES[name], 'environment.json'), 'utf8')) as NodeJS.ProcessEnv;
};
