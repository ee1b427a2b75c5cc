import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runStep, startPlatform } from '@florin/local';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { playStory } from '../demo/play-story.ts';
import { BEHIND_PROXY } from '../support/customer-address.ts';
import { registerPartnerServer } from '../support/partner-server.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { auditJournal, auditLives } from './audit.ts';
import { type FaultRun, inDataDir } from './in-data-dir.ts';
import { openPeople } from './people.ts';
import { createPersistentClient } from './persistent-client.ts';
import { readFeed } from './read-feed.ts';

/** Enough on a machine with other work. */
const STEP_MS = 300_000;
const PEOPLE = 2;

/** Sources of processes: events and webhooks share one, the gateway and the back office another. */
const SOURCES = ['gateway', ...['card', 'chain', 'events', 'identity', 'ledger', 'threeds', 'vault'].map((name) => join('services', name))];

/** The scopes of partners' clients that 0.2.0 knows: it rejects a trust with others. */
const SCOPES_OF_PARTNERS = [EVENTS_SCOPES.read, EVENTS_SCOPES.readWebhooks, EVENTS_SCOPES.manageWebhooks];

/** The order that the changelog asks for. */
export const ORDER_OF_UPDATE = [
  'ledger',
  'events',
  'webhooks',
  'identity',
  'vault',
  'threeds',
  'card',
  'chain',
  'gateway',
  'back-office',
] as const;

export type UpgradeResult = { lives: number; replaced: string[]; before: string; after: string; auditLog: string; problems: string[] };

/** A copy of an earlier version waits longer for its processes: its launcher gives them a minute, which a busy machine exceeds. */
const makePatient = async (folder: string): Promise<void> => {
  const file = join(folder, 'deploy/local/src/processes/supervised-process.ts');
  const source = await readFile(file, 'utf8');
  const patient = source.replace('READY_TIMEOUT_MS = 60_000;', 'READY_TIMEOUT_MS = 600_000;');
  if (!patient.includes('READY_TIMEOUT_MS = 600_000;')) throw new Error(`no READY_TIMEOUT_MS in ${file}`);
  await writeFile(file, patient);
};

/** Starts the platform of an earlier version by its own launcher. */
const startVersion = async (folder: string, env: NodeJS.ProcessEnv): Promise<{ stop: () => Promise<void> }> => {
  await makePatient(folder);
  const child = spawn(process.execPath, [join(folder, 'deploy/local/src/main.ts')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const isReady = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('Florin is ready')) resolve(true);
    });
    void exited.then(() => resolve(false));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await exited;
  };
  if (!(await isReady)) throw new Error('the earlier version has not started');
  return { stop };
};

/** Plays the story of an earlier version on its own platform. @returns the last line of the story */
const liveInVersion = async (folder: string, dataDir: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const own = { ...env, FLORIN_DATA_DIR: dataDir };
  const platform = await startVersion(folder, own);
  try {
    const args = [join(folder, 'test/demo/main.ts')];
    const output = await runStep({ command: process.execPath, args, cwd: folder, env: own, timeoutMs: STEP_MS });
    return output.trim().split('\n').at(-1) ?? '';
  } finally {
    await platform.stop();
  }
};

/** A root whose sources are links into one version or another. */
const linkTo = async (root: string, source: string, folder: string): Promise<void> => {
  await rm(join(root, source), { force: true });
  await symlink(join(folder, source), join(root, source));
};

const upgrade = async (folder: string, order: readonly string[], { dataDir, report: note }: FaultRun): Promise<UpgradeResult> => {
  const reported: string[] = [];
  const report = (line: string): void => {
    reported.push(line);
    note(line);
  };
  // Own engines, even if the environment names others.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...given } = benchEnvironment();
  // A decision past its deadline is a decline, which the story does not expect on a busy machine either.
  const env = { ...given, ...BEHIND_PROXY, SERVE_APP: 'false', AUTHORIZATION_DEADLINE_MS: '5000' };
  const before = await liveInVersion(folder, dataDir, env);
  report(before);

  const root = join(dataDir, 'root');
  await mkdir(join(root, 'services'), { recursive: true });
  for (const source of SOURCES) await linkTo(root, source, folder);
  // Earlier versions have none of these.
  for (const source of ['services/notifications', 'services/settlement']) await linkTo(root, source, ROOT);
  const eventsToken = await registerPartnerServer(dataDir, 'florin', env, SCOPES_OF_PARTNERS);
  const platform = await startPlatform({ rootDir: root, dataDir, env, report });
  try {
    const api = createPersistentClient(platform.urls.gateway);
    const feed = readFeed(platform.urls.gateway, eventsToken);
    const people = openPeople(api, PEOPLE);
    const engines = { MONGODB_URI: platform.mongodbUri, REDIS_URL: platform.redisUrl };
    await runStep({
      command: process.execPath,
      args: [join(ROOT, 'deploy/local/src/migrate.ts')],
      cwd: ROOT,
      env: { ...env, ...engines },
      timeoutMs: STEP_MS,
    });
    for (const source of SOURCES) await linkTo(root, source, ROOT);
    const replaced: string[] = [];
    for (const name of order) {
      const pid = platform.processes().find((one) => one.name === name)?.pid;
      if (pid === undefined) continue;
      process.kill(pid, 'SIGTERM');
      await waitFor(`the new ${name}`, async () => reported.includes(`${name}: is running again`) || undefined, STEP_MS);
      replaced.push(name);
    }
    const lines: string[] = [];
    await playStory(platform.urls.gateway, (line) => lines.push(line));
    const { lives, problems } = await people.stop();
    problems.push(...(await auditLives(api, lives)));
    problems.push(...(await feed.finish(lives)).problems);
    const journal = await auditJournal(platform);
    report(journal.summary);
    problems.push(...journal.problems);
    const auditLog = await runStep({
      command: process.execPath,
      args: [join(ROOT, 'deploy/local/src/audit-log.ts'), '--data-dir', dataDir],
      cwd: ROOT,
      env,
      timeoutMs: STEP_MS,
    });
    return { lives: lives.length, replaced, before, after: lines.at(-1) ?? '', auditLog, problems };
  } finally {
    await platform.stop();
  }
};

/**
 * A platform that an earlier version has made is started on its data with its own processes, and each is replaced by that of this version while users repeat
 * their story. Afterwards everything that was acknowledged must exist exactly once, and the journal, the feed and the audit logs must verify.
 * @param folder the earlier version, with its packages
 * @param order names of the processes in the order in which they are replaced
 */
export const upgradeFrom = (folder: string, order: readonly string[], report: (line: string) => void): Promise<UpgradeResult> =>
  inDataDir({ name: 'upgrade', report }, (run) => upgrade(folder, order, run));
