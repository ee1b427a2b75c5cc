import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { BEHIND_PROXY } from '../../support/customer-address.ts';
import { registerPartnerServer } from '../../support/partner-server.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { benchEnvironment, ROOT } from '../../support/settings.ts';
import { misnumberedOf, missingOf } from '../acknowledged-events.ts';
import { auditJournal } from '../audit.ts';
import { type FailingEngines, onEngines, startFailingEngines } from '../failover.ts';
import { type FaultRun, inDataDir } from '../in-data-dir.ts';
import { strike, victimsOf } from '../kill-one.ts';
import { openPeople } from '../people.ts';
import { createPersistentClient } from '../persistent-client.ts';
import { readFeed } from '../read-feed.ts';
import { evidenceOf } from './evidence.ts';
import { type FaultReceiver, MOODS, type Mood, startFaultReceiver } from './receiver.ts';
import { startSecondDeliverer } from './second-deliverer.ts';

export type EventFaultOptions = {
  kills: number;
  /** Names of the processes that are killed. Default: the services with outboxes, the appender, both deliverers, and the engines. */
  only?: readonly string[] | undefined;
  /** MongoDB is a replica set that fails over, instead of being killed. */
  failover?: boolean;
  /** Concurrent users. */
  people?: number;
  /** How long the receiver answers 500 in the end, in milliseconds. Default: a minute. */
  refusesMs?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); selects the processes and the times of the kills. */
  random?: () => number;
};

export type EventFaultResult = { events: number; kills: Record<string, number>; problems: string[] };

const SECOND = 'webhooks 2';

const VICTIMS: readonly string[] = [
  'identity',
  'card',
  'ledger',
  'threeds',
  'events',
  'webhooks',
  SECOND,
  'redis',
  'ferretdb',
  'postgres',
  'mongod',
];

const PARTNER = 'florin';
const MIN_PAUSE_MS = 500;
const MORE_PAUSE_MS = 2500;

/** A process that was killed may take a while, and so may a lease that it had, on a machine with other work. */
const RECOVERY_MS = 180_000;

/** How long the receiver stays in each mood at least, while processes are killed. */
const MOOD_MS = 2500;

/** More than the time without a success after which an endpoint is disabled. */
const JUMP_MS = 6 * 24 * 60 * 60 * 1000;
const JUMPED_MS = 10_000;

const MINUTE_MS = 60_000;

/** Enough for what is parked after a minute of 500 on a machine with other work: the fourth attempt comes after 155 seconds, and a fifth more. */
const SETTLE_MS = 360_000;

const clockFileOf = (dataDir: string): string => join(dataDir, 'clock-of-deliverers');

type Endpoint = { path: string; types: readonly string[] };

/** All events, and some of them: the proof holds for every filter. */
const ENDPOINTS: readonly Endpoint[] = [
  { path: '/all', types: [] },
  { path: '/some', types: ['card.*', 'challenge.*'] },
];

const createEndpoints = async (platform: Platform, receiver: FaultReceiver, token: () => Promise<string>): Promise<void> => {
  const api = createPersistentClient(platform.urls.gateway);
  for (const { path, types } of ENDPOINTS) {
    const { id, secret } = await api.call<{ id: string; secret: string }>('POST', '/webhook-endpoints', {
      token: await token(),
      body: { url: receiver.url(path), types, after: `${PARTNER}:0` },
    });
    receiver.expect(path, { id, secret, keysUrl: `${platform.urls.gateway}/.well-known/webhooks/jwks.json` });
  }
};

const disabledOf = async (platform: Platform, token: () => Promise<string>): Promise<string[]> => {
  const api = createPersistentClient(platform.urls.gateway);
  const { data } = await api.call<{ data: { url: string; status: string }[] }>('GET', '/webhook-endpoints', { token: await token() });
  return data.flatMap(({ url, status }) => (status === 'enabled' ? [] : [`${url} is ${status}`]));
};

/** Changes the receiver's mood again and again, until it is over and each had its turn; then it is well. */
const beMoody = async (receiver: FaultReceiver, over: () => boolean): Promise<void> => {
  for (let turn = 0; !over() || turn < 2 * MOODS.length; turn += 1) {
    // Well in between, so that something gets through.
    const mood: Mood = turn % 2 === 0 ? 'well' : (MOODS[1 + (((turn - 1) / 2) % (MOODS.length - 1))] ?? 'well');
    const before = receiver.answered[mood] ?? 0;
    receiver.behave(mood);
    await pause(MOOD_MS);
    const isMet = async () => ((receiver.answered[mood] ?? 0) > before ? true : undefined);
    await waitFor(`a delivery to the receiver that is ${mood}`, isMet, RECOVERY_MS);
  }
  receiver.behave('well');
};

type Scene = {
  platform: Platform;
  engines: FailingEngines | undefined;
  second: ServiceProcess;
  receiver: FaultReceiver;
  token: () => Promise<string>;
};

/** Sets the clocks of both deliverers off by so many milliseconds. */
const shiftClocks = async ({ platform, second }: Scene, offsetMs: number): Promise<void> => {
  await writeFile(clockFileOf(platform.dataDir), String(offsetMs));
  const find = async () => platform.processes().find(({ name }) => name === 'webhooks')?.pid;
  for (const pid of [await waitFor('webhooks to run', find), await waitFor(`${SECOND} to run`, async () => second.pid())]) {
    process.kill(pid, 'SIGUSR2');
  }
};

const makeTrouble = async (
  scene: Scene,
  { kills, only = VICTIMS, people = 3, refusesMs = MINUTE_MS, report, random = Math.random }: EventFaultOptions,
): Promise<EventFaultResult> => {
  const { platform, engines, second, receiver, token } = scene;
  const api = createPersistentClient(platform.urls.gateway);
  const feed = readFeed(platform.urls.gateway, token);
  const victims = [...victimsOf(platform, only), ...(only.includes(SECOND) ? [SECOND] : [])];
  const killed: Record<string, number> = {};
  const problems: string[] = [];
  const loops = openPeople(api, people);
  let isMoody = true;
  const moods = beMoody(receiver, () => !isMoody).catch((error: unknown) => void problems.push(String(error)));

  const kill = async (): Promise<string> => {
    const wanted = victims[Math.floor(random() * victims.length)] ?? '';
    if (wanted !== SECOND) return strike(platform, [wanted], random, engines);
    const pid = await waitFor(`${SECOND} to run`, async () => second.pid());
    process.kill(pid, 'SIGKILL');
    return wanted;
  };
  /** Each kill meets deliveries under way. */
  const untilReceived = async (): Promise<void> => {
    const before = receiver.events('/all').length;
    const isMore = async () => (receiver.events('/all').length > before ? true : undefined);
    await waitFor('deliveries after a kill', isMore, RECOVERY_MS);
  };
  for (let count = 1; count <= kills; count += 1) {
    await untilReceived();
    await pause(MIN_PAUSE_MS + random() * MORE_PAUSE_MS);
    const name = await kill();
    killed[name] = (killed[name] ?? 0) + 1;
    report(`kill ${count} of ${kills}: ${name} (${receiver.events('/all').length} events received)`);
  }
  isMoody = false;
  await moods;
  await untilReceived();
  report(`the clocks of the deliverers are six days ahead for ${JUMPED_MS / 1000} s`);
  await shiftClocks(scene, JUMP_MS);
  await pause(JUMPED_MS);
  await shiftClocks(scene, 0);
  report(`the receiver answers 500 for ${refusesMs / 1000} s`);
  receiver.behave('refuses');
  await pause(refusesMs);
  receiver.behave('well');
  const { lives, problems: unexpected } = await loops.stop();
  problems.push(...unexpected);
  report('waiting until the receiver has everything');

  const read = await feed.finish(lives);
  problems.push(...read.problems);
  const isThere = async () =>
    missingOf(receiver.events('/all'), lives).length === 0 && ENDPOINTS.every(({ path }) => receiver.isComplete(path)) ? true : undefined;
  await waitFor('everything at the receiver', isThere, SETTLE_MS).catch(() => undefined);
  for (const { path } of ENDPOINTS) {
    if (!receiver.isComplete(path)) {
      problems.push(`${path}: not complete; gaps: ${JSON.stringify(receiver.gaps(path))}`);
      problems.push(...(await evidenceOf(scene, path)));
    }
    problems.push(...misnumberedOf(receiver.events(path)).map((line) => `${path}: ${line}`));
  }
  problems.push(...missingOf(receiver.events('/all'), lives).map((name) => `missing at the receiver or doubled: ${name}`));
  problems.push(...receiver.problems, ...(await disabledOf(platform, token)));
  const some = receiver.events('/some').length;
  if (lives.length === 0 || some === 0) problems.push('nothing happened, so nothing was verified');
  const journal = await auditJournal(platform);
  problems.push(...journal.problems);

  const events = receiver.events('/all').length;
  report(journal.summary);
  report(`stories: ${lives.length}, events in the feed: ${read.events}, received: ${events} and ${some}, kills: ${JSON.stringify(killed)}`);
  report(`deliveries by the mood of the receiver: ${JSON.stringify(receiver.answered)}`);
  report(problems.length === 0 ? 'every event was delivered, in the order of its subject' : problems.join('\n'));
  return { events, kills: killed, problems };
};

/**
 * Users repeat the story while services with outboxes, the appender, two deliverers and the engines are killed with SIGKILL, and the receiver of webhooks is slow, refuses,
 * closes, is silent, lies and never ends; then the clocks of the deliverers jump by six days, and the receiver answers 500 for a minute. Afterwards the receiver proves by what it
 * has received alone that nothing is missing, each subject came in order, and everything that was acknowledged is there.
 */
export const troubleEvents = (options: EventFaultOptions): Promise<EventFaultResult> =>
  inDataDir({ name: 'events', report: options.report }, async ({ dataDir, report }: FaultRun) => {
    // Own engines, even if the environment names others: they are killed.
    const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = benchEnvironment();
    const { failover = false, random = Math.random } = options;
    const engines = failover ? await startFailingEngines({ dataDir, env: own, report }, random) : undefined;
    const env = {
      ...own,
      ...onEngines(engines),
      ...BEHIND_PROXY,
      WEBHOOKS_CHECKPOINT_SECONDS: '2',
      // Every process could be given another time; only the deliverers are.
      NODE_OPTIONS: `--import ${join(ROOT, 'test/support/shifted-clock.ts')}`,
      CLOCK_OFFSET_FILE: clockFileOf(dataDir),
    };
    const token = await registerPartnerServer(dataDir, PARTNER, own);
    const deliveries = join(dataDir, 'logs', 'deliveries.log');
    const receiver = await startFaultReceiver((line) => appendFileSync(deliveries, `${new Date().toISOString()} ${line}\n`));
    try {
      const platform = await startPlatform({ rootDir: ROOT, dataDir, env, report });
      try {
        const second = await startSecondDeliverer(platform, env);
        try {
          await createEndpoints(platform, receiver, token);
          return await makeTrouble({ platform, engines, second, receiver, token }, { ...options, report });
        } finally {
          await second.stop();
        }
      } finally {
        await platform.stop();
      }
    } finally {
      await receiver.close();
      await engines?.stop();
    }
  });
