import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir as cacheDirOf, startEngines, waitForLock } from '@florin/local';
import { buildTwice, ensureImages } from './images/index.ts';
import { type StateDir, stateDirOf } from './layout.ts';
import { removeCgroups } from './namespaces/cgroups.ts';
import { runInNamespaces } from './namespaces/isolation.ts';
import type { Preparation } from './preparation.ts';
import { ensurePrograms, type Programs } from './programs/programs.ts';
import type { Report } from './report.ts';
import { missingRequirement } from './requirements.ts';

/** The input of the program in the namespaces. */
export type Plan = { programs: Programs; images: readonly string[] };

/** Files of the cluster that runs on this machine; there is one at a time. */
export const clusterState = (env: NodeJS.ProcessEnv): StateDir => stateDirOf(join(cacheDirOf(env), 'cluster-run'));

/** Where the plan is, the data of the engines, and the platform's keys. */
export const planFile = ({ path }: StateDir): string => join(path, 'plan.json');
export const enginesDir = ({ path }: StateDir): string => join(path, 'engines');
export const keysDir = ({ path }: StateDir): string => join(path, 'keys');

/** Removes what a cluster has left on the machine; its processes, mounts and networks have ended with their namespaces. */
const sweep = async ({ path }: StateDir): Promise<void> => {
  await removeCgroups();
  rmSync(path, { recursive: true, force: true });
};

/** Keeps the logs of a run in which something was wrong, instead of those of an earlier one. */
const keepLogs = ({ logs }: StateDir, env: NodeJS.ProcessEnv, report: Report): void => {
  const kept = join(cacheDirOf(env), 'cluster-failed');
  rmSync(kept, { recursive: true, force: true });
  if (!existsSync(logs)) return;
  renameSync(logs, kept);
  report(`the logs are in ${kept}`);
};

/** Everything that needs a network: programs, images, engines. */
const prepare = async (state: StateDir, preparation: Preparation): Promise<Plan> => {
  const { env, report, signal } = preparation;
  const programs = await ensurePrograms(preparation);
  const images = await ensureImages(programs, preparation);
  const engines = await startEngines({ dataDir: enginesDir(state), env, report, signal, durable: false });
  await engines.stop();
  return { programs, images };
};

/**
 * Builds the image of the platform twice, and compares the builds.
 * @returns 0 when they are the same; 2 with one line when this machine cannot build them
 */
export const compareBuilds = async ({
  rootDir,
  env,
  report,
}: {
  rootDir: string;
  env: NodeJS.ProcessEnv;
  report: Report;
}): Promise<number> => {
  const missing = await missingRequirement(env);
  if (missing !== undefined) {
    report(`the image cannot be built on this machine: ${missing}`);
    return 2;
  }
  const lock = await waitForLock(`${clusterState(env).path}.lock`, (pid) => report(`waiting for process ${pid}, which runs a cluster`));
  try {
    const preparation = { cacheDir: cacheDirOf(env), rootDir, env, report, signal: new AbortController().signal };
    const [first, second] = await buildTwice(await ensurePrograms(preparation), preparation);
    report(first === second ? 'the two builds are the same image' : 'FAIL the two builds differ');
    return first === second ? 0 : 1;
  } finally {
    lock.release();
  }
};

/**
 * Prepares a cluster, and runs a program in the namespaces where it calls `openCluster`. When the program or this process ends, also by a signal, only
 * files are left, which the next launch removes first.
 * @param program file and arguments
 * @returns the exit code of the program; 2 with one line when this machine cannot run a cluster
 */
export const launch = async (
  program: readonly string[],
  { rootDir, env, report }: { rootDir: string; env: NodeJS.ProcessEnv; report: Report },
): Promise<number> => {
  const missing = await missingRequirement(env);
  if (missing !== undefined) {
    report(`the cluster cannot run on this machine: ${missing}`);
    return 2;
  }
  const state = clusterState(env);
  const lock = await waitForLock(`${state.path}.lock`, (pid) => report(`waiting for process ${pid}, which runs a cluster`));
  try {
    await sweep(state);
    mkdirSync(state.path, { recursive: true, mode: 0o700 });
    const plan = await prepare(state, { cacheDir: cacheDirOf(env), rootDir, env, report, signal: new AbortController().signal });
    writeFileSync(planFile(state), JSON.stringify(plan));
    const code = await runInNamespaces(program, env);
    if (code !== 0) keepLogs(state, env, report);
    return code;
  } finally {
    await sweep(state);
    lock.release();
  }
};
