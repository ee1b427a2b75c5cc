import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import type { InstanceFaults } from '../../support/breakable.ts';
import type { LedgerCluster, LedgerInstance } from '../../support/ledger-cluster.ts';
import type { Lease, Terms } from './terms.ts';

const HOUR_MS = 3_600_000;

/** Within so long a fault must have had its effect. */
const EFFECT_MS = 60_000;

/** Times that a journal that is just being opened is aimed at. */
const OPENINGS = 5;

export type Victim = { name: string; pid: number };

/** The targets of faults, and the proof that they were hit. */
export type Scene = {
  cluster: LedgerCluster;
  terms: Terms;
  random: () => number;
  /** Calls that had no definite answer, so far. */
  repeats: () => number;
  /** The processes of the engine. */
  database: () => readonly { name: string; pid: number | undefined }[];
};

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

/** The MongoDB engine accepts connections and does not respond. @returns the time at which it was let go on @throws Error when there is none to stop */
export const freezeEngine = async ({ database }: Pick<Scene, 'database'>, ms: number): Promise<Date> => {
  const running = database().flatMap(({ name, pid }) => (/ferretdb|mongod/i.test(name) && pid !== undefined ? [pid] : []));
  const engines = running.filter((pid) => signal(pid, 'SIGSTOP'));
  if (engines.length === 0) throw new Error('the engine has no process to stop');
  await pause(ms);
  const back = new Date();
  for (const pid of engines) signal(pid, 'SIGCONT');
  return back;
};

type Break = (instance: LedgerInstance, faults: InstanceFaults) => Promise<void>;

const faultsOf = ({ faults }: LedgerInstance): InstanceFaults => {
  if (faults === undefined) throw new Error('the cluster was not opened breakable');
  return faults;
};

/**
 * Breaks an instance that owns a shard, for so long at least, and until another one owns the shard: what strikes an instance without
 * shards shows nothing.
 * @throws Error when no other one takes the shard
 */
const breakOwner = async ({ cluster, terms, random }: Scene, ms: number, broken: Break, mended: Break): Promise<void> => {
  const { lease, owner } = await waitFor(
    'an owner',
    async () => {
      const owned = (await terms.leases()).flatMap((lease) => {
        const owner = cluster.instances.find((one) => faultsOf(one).address === lease.url && one.pid() !== undefined);
        return owner === undefined ? [] : [{ lease, owner }];
      });
      return owned[Math.floor(random() * owned.length)];
    },
    EFFECT_MS,
  );
  const isTaken = ({ shard, url }: Lease): boolean => shard === lease.shard && url !== lease.url;
  try {
    await broken(owner, faultsOf(owner));
    const taken = waitFor('another owner', async () => ((await terms.leases()).some(isTaken) ? true : undefined), EFFECT_MS);
    await Promise.all([pause(ms), taken]);
  } finally {
    await mended(owner, faultsOf(owner));
  }
};

const send =
  (name: NodeJS.Signals): Break =>
  async ({ pid }) => {
    const running = pid();
    if (running !== undefined) signal(running, name);
  };

/** A ledger that is stopped beyond its lease believes afterwards that it still owns its shards, while another one has them. */
export const freezeLedger = (scene: Scene, ms: number): Promise<void> => breakOwner(scene, ms, send('SIGSTOP'), send('SIGCONT'));

/** Cuts one instance off from Redis: its leases run out while it believes it still owns its shards. */
export const cutOffRedis = (scene: Scene, ms: number): Promise<void> =>
  breakOwner(
    scene,
    ms,
    (_instance, { redis }) => redis.cut(),
    (_instance, { redis }) => redis.restore(),
  );

/** Pulls the cable of one instance: no connection of it ends, and nothing arrives any more. */
export const pullCable = (scene: Scene, ms: number): Promise<void> =>
  breakOwner(
    scene,
    ms,
    async (_instance, { cable }) => cable?.cut(),
    async (_instance, { cable }) => cable?.restore(),
  );

/** Sets the clock of one instance so many hours off, and right again: what it owns must not stay with it. */
export const jumpClock = (scene: Scene, hours: number, ms: number): Promise<void> =>
  breakOwner(
    scene,
    ms,
    (_instance, { shiftClock }) => shiftClock(hours * HOUR_MS),
    (_instance, { shiftClock }) => shiftClock(0),
  );

/**
 * Keeps the instances from reaching each other, until a call could not be forwarded; the engines and the callers reach all of them.
 * @throws Error when all calls are answered all the same
 */
export const partition = async ({ cluster, repeats }: Scene, ms: number): Promise<void> => {
  const peers = cluster.instances.map((one) => faultsOf(one).peers);
  const before = repeats();
  try {
    await Promise.all(peers.map((one) => one.cut()));
    const felt = waitFor('a call without an answer', async () => (repeats() > before ? true : undefined), EFFECT_MS);
    await Promise.all([pause(ms), felt]);
  } finally {
    await Promise.all(peers.map((one) => one.restore()));
  }
};

/**
 * Kills all instances, and stops the engine for longer than a lease as soon as one of them has taken a shard, until that hit it while it
 * opened the journal: then the term has begun after the engine was back.
 * @throws Error when it never did
 */
export const slowOpenings = async ({ cluster, terms, database }: Scene, ms: number): Promise<void> => {
  for (let attempt = 1; attempt <= OPENINGS; attempt += 1) {
    const before = await terms.leases();
    const isNew = ({ shard, epoch }: Lease): boolean => before.every((lease) => lease.shard !== shard || lease.epoch < epoch);
    for (const { pid, name } of alive(cluster)) if (name.startsWith('ledger')) signal(pid, 'SIGKILL');
    const taken = await waitFor('a ledger that has taken a shard', async () => (await terms.leases()).find(isNew), EFFECT_MS);
    const back = await freezeEngine({ database }, ms);
    const began = await waitFor('the term to begin', () => terms.beganAt(taken), EFFECT_MS);
    if (began >= back) return;
  }
  throw new Error('no journal was open for longer than a lease before its term began');
};
