import { type Platform, startPlatform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { BEHIND_PROXY } from '../support/customer-address.ts';
import { registerPartnerServer } from '../support/partner-server.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { auditJournal, auditLives } from './audit.ts';
import { FAILOVER, FAILOVERS, type FailingEngines, onEngines, startFailingEngines } from './failover.ts';
import { inDataDir } from './in-data-dir.ts';
import { openPeople } from './people.ts';
import { createPersistentClient } from './persistent-client.ts';
import { readFeed } from './read-feed.ts';

type FaultOptions = {
  /** Number of random processes to kill. */
  kills?: number;
  /** MongoDB is a replica set that fails over, instead of being killed. */
  failover?: boolean;
  /** Number of concurrent users. */
  people?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); selects the processes and the times of the kills. */
  random?: () => number;
  /** Names of the processes to kill, one after the other; default random ones. Overrides `kills`. */
  victims?: (platform: Platform) => readonly string[];
};

type FaultResult = { lives: number; kills: Record<string, number>; repeats: number; problems: string[] };

const MIN_PAUSE_MS = 500;
const MORE_PAUSE_MS = 2500;

const running = (platform: Platform) => platform.processes().filter(({ pid }) => pid !== undefined);

const findRunning = (platform: Platform, wanted: string) => running(platform).find(({ name }) => name === wanted);

const anyOf = <T>(items: readonly T[], random: () => number): T | undefined => items[Math.floor(random() * items.length)];

/**
 * Users repeat the story while random processes (engines, services, gateway) are killed with SIGKILL. Afterwards, everything that was
 * acknowledged must exist exactly once, nothing else may exist, the journal must verify, and the feed of events must be complete.
 * @param eventsToken source of tokens that read the partner's events
 */
const killWhileDemoLoops = async (
  platform: Platform,
  engines: FailingEngines | undefined,
  options: FaultOptions,
  eventsToken: () => Promise<string>,
): Promise<FaultResult> => {
  const { people = 3, report, random = Math.random } = options;
  const victims = options.victims?.(platform);
  const kills = victims?.length ?? options.kills ?? 0;
  const api = createPersistentClient(platform.urls.gateway);
  const feed = readFeed(platform.urls.gateway, eventsToken);
  const killed: Record<string, number> = {};
  const problems: string[] = [];
  const loops = openPeople(api, people);

  for (let count = 1; count <= kills; count += 1) {
    await pause(MIN_PAUSE_MS + random() * MORE_PAUSE_MS);
    if (engines !== undefined && random() < FAILOVERS) {
      await engines.failOver();
      killed[FAILOVER] = (killed[FAILOVER] ?? 0) + 1;
      report(`kill ${count} of ${kills}: ${FAILOVER} (${loops.lives.length} stories completed)`);
      continue;
    }
    const named = victims?.[count - 1];
    const victim = named === undefined ? anyOf(running(platform), random) : await waitFor(named, async () => findRunning(platform, named));
    if (victim?.pid === undefined) continue;
    try {
      process.kill(victim.pid, 'SIGKILL');
      killed[victim.name] = (killed[victim.name] ?? 0) + 1;
      report(`kill ${count} of ${kills}: ${victim.name} (${loops.lives.length} stories completed)`);
    } catch {
      // It has exited in the meantime.
    }
  }
  await pause(MORE_PAUSE_MS);
  const { lives, problems: unexpected } = await loops.stop();
  problems.push(...unexpected);

  problems.push(...(await auditLives(api, lives)));
  const read = await feed.finish(lives);
  problems.push(...read.problems);
  const journal = await auditJournal(platform);
  problems.push(...journal.problems);
  if (lives.length === 0) problems.push('no user completed the story, so nothing was verified');

  report(journal.summary);
  report(`events: ${read.events}`);
  report(`stories: ${lives.length}, repeated requests: ${api.repeats()}, kills: ${JSON.stringify(killed)}`);
  report(problems.length === 0 ? 'nothing is missing, nothing is duplicated' : problems.join('\n'));
  return { lives: lives.length, kills: killed, repeats: api.repeats(), problems };
};

/**
 * `killWhileDemoLoops` on a new platform.
 * @param first what is done before, while nothing is killed
 */
export const troubleDemo = (options: FaultOptions, first?: (platform: Platform) => Promise<void>): Promise<FaultResult> =>
  inDataDir({ name: 'demo', report: options.report }, async ({ dataDir, report }) => {
    // Own engines, even if the environment names others: they are killed.
    const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...env } = benchEnvironment();
    const eventsToken = await registerPartnerServer(dataDir, 'florin', env);
    const { failover = false, random = Math.random } = options;
    const engines = failover ? await startFailingEngines({ dataDir, env, report }, random) : undefined;
    const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...env, ...onEngines(engines), ...BEHIND_PROXY }, report });
    try {
      await first?.(platform);
      return await killWhileDemoLoops(platform, engines, { ...options, report }, eventsToken);
    } finally {
      await platform.stop();
      await engines?.stop();
    }
  });
