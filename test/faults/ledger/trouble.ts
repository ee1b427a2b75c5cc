import { pause } from '@florin/rpc/time';
import type { InstanceFaults } from '../../support/breakable.ts';
import type { LedgerCluster } from '../../support/ledger-cluster.ts';

const HOUR_MS = 3_600_000;

/** After so long a ledger process has begun to open its journals. */
const STARTING_MS = 1000;

export type Victim = { name: string; pid: number };

/** All processes: ledger instances, those of the MongoDB engine, Redis. */
const alive = ({ instances, engines }: LedgerCluster): Victim[] =>
  [...instances.map(({ name, pid }) => ({ name, pid: pid() })), ...engines.processes()].flatMap(({ name, pid }) =>
    pid === undefined ? [] : [{ name, pid }],
  );

const signal = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    // It has ended by itself.
    return false;
  }
};

/** Kills one process at random; returns its name. */
export const killOne = (cluster: LedgerCluster, random: () => number): string | undefined => {
  const candidates = alive(cluster);
  const victim = candidates[Math.floor(random() * candidates.length)];
  return victim !== undefined && signal(victim.pid, 'SIGKILL') ? victim.name : undefined;
};

/** Stops processes for a while: they keep their connections and do not respond, then continue. */
const freeze = async (victims: readonly Victim[], ms: number): Promise<void> => {
  for (const { pid } of victims) signal(pid, 'SIGSTOP');
  await pause(ms);
  for (const { pid } of victims) signal(pid, 'SIGCONT');
};

/** A ledger that is stopped beyond its lease believes afterwards that it still owns its shards, while another one has them. */
export const freezeLedger = (cluster: LedgerCluster, random: () => number, ms: number): Promise<void> => {
  const ledgers = alive(cluster).filter(({ name }) => name.startsWith('ledger'));
  const victim = ledgers[Math.floor(random() * ledgers.length)];
  return freeze(victim === undefined ? [] : [victim], ms);
};

/** The MongoDB engine accepts connections and does not respond. */
export const freezeEngine = (cluster: LedgerCluster, ms: number): Promise<void> =>
  freeze(
    alive(cluster).filter(({ name }) => /ferretdb|mongod/i.test(name)),
    ms,
  );

const faultsOf = (cluster: LedgerCluster, random: () => number): InstanceFaults => {
  const faults = cluster.instances[Math.floor(random() * cluster.instances.length)]?.faults;
  if (faults === undefined) throw new Error('the cluster was not opened breakable');
  return faults;
};

/** Cuts one instance off from Redis: its leases run out while it believes it still owns its shards. */
export const cutOffRedis = async (cluster: LedgerCluster, random: () => number, ms: number): Promise<void> => {
  const { redis } = faultsOf(cluster, random);
  await redis.cut();
  await pause(ms);
  await redis.restore();
};

/** Keeps the instances from reaching each other; the engines and the callers reach all of them. */
export const partition = async ({ instances }: LedgerCluster, ms: number): Promise<void> => {
  await Promise.all(instances.map(({ faults }) => faults?.peers.cut()));
  await pause(ms);
  await Promise.all(instances.map(({ faults }) => faults?.peers.restore()));
};

/** Sets the clock of one instance so many hours off, and right again. */
export const jumpClock = async (cluster: LedgerCluster, random: () => number, hours: number, ms: number): Promise<void> => {
  const { shiftClock } = faultsOf(cluster, random);
  await shiftClock(hours * HOUR_MS);
  await pause(ms);
  await shiftClock(0);
};

/** Kills all instances, and stops the engine while they come back: opening their journals takes longer than a lease lasts. */
export const slowOpenings = async (cluster: LedgerCluster, ms: number): Promise<void> => {
  for (const { pid, name } of alive(cluster)) if (name.startsWith('ledger')) signal(pid, 'SIGKILL');
  await pause(STARTING_MS);
  await freezeEngine(cluster, ms);
};

/** Pulls the cable of one instance: no connection of it ends, and nothing arrives any more. */
export const pullCable = async (cluster: LedgerCluster, random: () => number, ms: number): Promise<void> => {
  const { cable } = faultsOf(cluster, random);
  await cable?.cut();
  await pause(ms);
  await cable?.restore();
};
