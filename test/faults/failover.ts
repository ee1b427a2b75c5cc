import { join } from 'node:path';
import { type Engines, startEngines } from '@florin/local';
import { pause } from '@florin/rpc/time';
import { type Interruption, ReplicaSet } from '../support/replica-set/replica-set.ts';

/** Engines whose MongoDB is a replica set. Of their processes only Redis is listed: the replica set does not survive a kill. */
export type FailingEngines = Engines & {
  /** Replaces the primary as some failure would: what no majority has is lost, in whole, in part or not at all. */
  failOver: () => Promise<void>;
  /** The processes of the engine under the replica set, which may be stopped for a while. */
  database: Engines['processes'];
};

/** How failovers are counted among the kills. */
export const FAILOVER = 'failover';

/** Part of the kills that are failovers. */
export const FAILOVERS = 0.7;

const INTERRUPTIONS: readonly Interruption[] = ['connection', 'error', 'write-concern-error'];
const MAX_HELD_MS = 400;
const MAX_ELECTION_MS = 1500;
/** Part of the failovers of which the former primary does not know for a while: it answers reads from what it has. */
const UNNOTICED = 0.3;

/** @param random uniform in [0, 1) */
export const startFailingEngines = async (
  { dataDir, env, report }: { dataDir: string; env: NodeJS.ProcessEnv; report: (line: string) => void },
  random: () => number,
): Promise<FailingEngines> => {
  const engines = await startEngines({ dataDir: join(dataDir, 'engines'), env, report });
  const set = await ReplicaSet.start({ mongodbUri: engines.mongodbUri });
  return {
    ...engines,
    mongodbUri: set.uri(),
    processes: () => engines.processes().filter(({ name }) => name.includes('redis')),
    database: () => engines.processes().filter(({ name }) => !name.includes('redis')),
    failOver: async () => {
      set.hold();
      await pause(random() * MAX_HELD_MS);
      await set.failover({
        kept: Math.max(0, 1.5 * random() - 0.5),
        isAcknowledged: random() < 0.5,
        interruption: INTERRUPTIONS[Math.floor(random() * INTERRUPTIONS.length)] ?? 'connection',
        electionMs: random() * MAX_ELECTION_MS,
        isUnnoticed: random() < UNNOTICED,
      });
      await pause(random() * MAX_HELD_MS);
      set.rejoin();
      set.release();
    },
    stop: async () => {
      await set.close();
      await engines.stop();
    },
  };
};

/** Environment of a platform on these engines. */
export const onEngines = (engines: Engines | undefined): NodeJS.ProcessEnv =>
  engines === undefined ? {} : { MONGODB_URI: engines.mongodbUri, REDIS_URL: engines.redisUrl };
