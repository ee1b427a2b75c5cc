import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engines, ensureKeys, ensureRedisPasswords, startEngines } from '@florin/local';
import { type Cluster, startCluster } from './cluster.ts';
import { clusterState, enginesDir, keysDir, type Plan, planFile } from './launch.ts';
import type { StateDir } from './layout.ts';
import { enterOutsideGroup } from './namespaces/cgroups.ts';
import { type Disk, mountDisk } from './namespaces/disk.ts';
import { openOutside } from './namespaces/network.ts';
import type { Report } from './report.ts';

export type OpenCluster = Cluster & {
  engines: Engines;
  /** The volume of MongoDB, or of the engine in its place. */
  disk: Disk;
  state: StateDir;
};

const portOf = (url: string): number => Number(new URL(url).port);

/** Starts the engines and the cluster, in the namespaces that `launch` has made. They end with this process. */
export const openCluster = async ({
  env,
  report,
  signal = new AbortController().signal,
}: {
  env: NodeJS.ProcessEnv;
  report: Report;
  signal?: AbortSignal;
}): Promise<OpenCluster> => {
  const state = clusterState(env);
  const { programs, images } = JSON.parse(readFileSync(planFile(state), 'utf8')) as Plan;
  enterOutsideGroup();
  await openOutside();
  const disk = await mountDisk(['mongodb', 'postgres'].map((name) => join(enginesDir(state), name)).filter(existsSync));
  // Durable, because what was confirmed must outlive an engine that ends on a full disk.
  const { redisPasswordsFile } = await ensureKeys(keysDir(state));
  const redisPasswords = ensureRedisPasswords(redisPasswordsFile);
  const engines = await startEngines({ dataDir: enginesDir(state), env, report, signal, durable: true, redisPasswords });
  const published = { 27017: portOf(engines.mongodbUri), 6379: portOf(engines.redisUrl) };
  const cluster = await startCluster({ state, programs, images, published, env, report, signal });
  return { ...cluster, engines, disk, state };
};
