import type { Platform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { FAILOVER, FAILOVERS, type FailingEngines } from './failover.ts';

/** A process that was killed may take a while to run again. */
const RUNNING_AGAIN_MS = 180_000;

/** Names of the processes of a platform that may be killed. @throws Error if there is none */
export const victimsOf = (platform: Platform, names: readonly string[]): string[] => {
  const victims = platform.processes().flatMap(({ name }) => (names.includes(name) ? [name] : []));
  if (victims.length === 0) throw new Error(`the platform has no process ${names.join(', ')}`);
  return victims;
};

/** Kills one of these processes with SIGKILL, once it is running. @returns its name */
export const killOne = async (platform: Platform, victims: readonly string[], random: () => number): Promise<string> => {
  const wanted = victims[Math.floor(random() * victims.length)] ?? '';
  const find = async () => platform.processes().find(({ name, pid }) => name === wanted && pid !== undefined);
  const { pid } = await waitFor(`${wanted} to run`, find, RUNNING_AGAIN_MS);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  return wanted;
};

/** Kills one of these processes, or lets MongoDB fail over if it can. @returns what was struck */
export const strike = async (
  platform: Platform,
  victims: readonly string[],
  random: () => number,
  engines: FailingEngines | undefined,
): Promise<string> => {
  if (engines === undefined || random() >= FAILOVERS) return killOne(platform, victims, random);
  await engines.failOver();
  return FAILOVER;
};
