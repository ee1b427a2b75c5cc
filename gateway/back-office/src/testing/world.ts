import { openTestBed, testEnvironment } from '@florin/data/testing';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { createTestAuthority, fakeClock, quietLogger } from '@florin/rpc/testing';
import { type BackOfficeOverrides, createApp } from '../app.ts';
import { runCommandLine } from '../cli/run-command-line.ts';
import { configShape } from '../config.ts';
import type { Role } from '../contract/index.ts';
import { createBrowser } from './browser.ts';

/** Where the pages are, as their browsers see it. */
export const ORIGIN = 'http://localhost:8090';

/** No service listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** The back office on a real database, with operators who have software passkeys. */
export const createWorld = async (more: Environment = {}) => {
  const authority = await createTestAuthority({ 'back-office': [] });
  const clock = fakeClock();
  const environment = testEnvironment('back-office', authority, {
    BACK_OFFICE_URL: ORIGIN,
    IDENTITY_URL: NOWHERE,
    CARD_URL: NOWHERE,
    LEDGER_URL: NOWHERE,
    THREEDS_URL: NOWHERE,
    ...more,
  });
  const bed = await openTestBed(environment);

  /** Runs the command line on the world's database. */
  const command = async (...args: string[]) => {
    const out: string[] = [];
    const errors: string[] = [];
    const code = await runCommandLine(args, environment, { out: (line) => out.push(line), error: (line) => errors.push(line) });
    return { code, out: out.join('\n'), errors: errors.join('\n') };
  };

  return {
    clock,
    connection: bed.connection,
    environment,
    command,

    /** Starts a process; any number of them share the world's database. */
    start: async (overrides: BackOfficeOverrides = {}) => {
      const app = await createApp(loadConfig(configShape, environment), {
        runtime: { now: clock.now },
        logger: quietLogger,
        limit: () => undefined,
        ...overrides,
      });
      bed.defer(app.close);
      const newBrowser = (origin = ORIGIN) => createBrowser(app.url, origin);
      return {
        app,
        newBrowser,
        /** A browser in which a new operator with these roles has signed in. */
        operator: async (...roles: Role[]) => {
          const browser = newBrowser();
          const email = `${roles.join('-')}-${crypto.randomUUID()}@example.org`;
          const { out } = await command('invite', email, ...roles.flatMap((role) => ['--role', role]));
          const { status, body } = await browser.enrol(out);
          if (status !== 200) throw new Error(`the operator could not enrol: ${JSON.stringify(body)}`);
          return { ...browser, email, id: (await browser.session()).operator.id };
        },
      };
    },

    close: bed.close,
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
export type BackOffice = Awaited<ReturnType<World['start']>>;
