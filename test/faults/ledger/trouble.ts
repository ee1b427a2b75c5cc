import { pause } from '@florin/rpc/time';
import type { LedgerCluster } from '../../support/ledger-cluster.ts';

export type Victim = { name: string; pid: number };

/** Everything that runs: ledger instances, the MongoDB engine with what it is made of, Redis. */
const alive = ({ instances, engines }: LedgerCluster): Victim[] =>
  [...instances.map(({ name, pid }) => ({ name, pid: pid() })), ...engines.processes()].flatMap(({ name, pid }) =>
    pid === undefined ? [] : [{ name, pid }],
  );

const signal = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    // It ended by itself between the look and the shot.
    return false;
  }
};

/** Kills one process at random; answers its name. */
export const killOne = (cluster: LedgerCluster, random: () => number): string | undefined => {
  const candidates = alive(cluster);
  const victim = candidates[Math.floor(random() * candidates.length)];
  return victim !== undefined && signal(victim.pid, 'SIGKILL') ? victim.name : undefined;
};

/** Makes processes stand still for a while: they answer nothing, keep their connections, and go on as if nothing had been. */
const freeze = async (victims: readonly Victim[], ms: number): Promise<void> => {
  for (const { pid } of victims) signal(pid, 'SIGSTOP');
  await pause(ms);
  for (const { pid } of victims) signal(pid, 'SIGCONT');
};

/** A ledger that stands still beyond its lease wakes up believing that it still owns its shards, while another one has them. */
export const freezeLedger = (cluster: LedgerCluster, random: () => number, ms: number): Promise<void> => {
  const ledgers = alive(cluster).filter(({ name }) => name.startsWith('ledger'));
  const victim = ledgers[Math.floor(random() * ledgers.length)];
  return freeze(victim === undefined ? [] : [victim], ms);
};

/** The MongoDB engine accepts connections and answers nothing. */
export const freezeEngine = (cluster: LedgerCluster, ms: number): Promise<void> =>
  freeze(
    alive(cluster).filter(({ name }) => /ferretdb|mongod/i.test(name)),
    ms,
  );
