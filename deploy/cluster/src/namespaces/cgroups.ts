import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CGROUP, NODES } from '../layout.ts';

const ROOT = '/sys/fs/cgroup';
const GONE_TIMEOUT_MS = 15_000;
const POLL_MS = 100;

/** Hierarchies of version 1, and that of version 2 beside them. */
const hierarchies = (): string[] =>
  readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, entry.name, 'cgroup.procs')))
    .map((entry) => join(ROOT, entry.name));

/** Reports whether the control groups of this machine are those of version 1, which the cluster needs. */
export const hasControlGroups = (): boolean => existsSync(join(ROOT, 'memory/cgroup.procs')) && existsSync(join(ROOT, 'cpu/cgroup.procs'));

const create = (path: string): void => {
  mkdirSync(path, { recursive: true });
  // A new group of cpuset is empty, and accepts no process before it has both.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    if (existsSync(join(path, file))) writeFileSync(join(path, file), readFileSync(join(path, '..', file)));
  }
};

/** Weight of all pods together beside the other programs of the machine, where one session of a user has 1024. */
const CPU_SHARES = 8192;

/** The group of what is not a pod: engines, control plane, clients. */
const OUTSIDE = `${CGROUP}-outside`;

/**
 * Moves this process, and what it starts from now on, into a group with the weight of all pods together: engines that have machines of their
 * own elsewhere do not wait here until the pods of a drained node have started.
 */
export const enterOutsideGroup = (): void => {
  const path = join(ROOT, 'cpu', OUTSIDE);
  create(path);
  writeFileSync(join(path, 'cpu.shares'), String(CPU_SHARES));
  writeFileSync(join(path, 'cgroup.procs'), '0');
};

/** Creates a control group for each node, as root of its pods. */
export const createCgroups = (): void => {
  for (const hierarchy of hierarchies()) {
    create(join(hierarchy, CGROUP));
    const shares = join(hierarchy, CGROUP, 'cpu.shares');
    if (existsSync(shares)) writeFileSync(shares, String(CPU_SHARES));
    for (const { name } of NODES) create(join(hierarchy, CGROUP, name));
  }
};

/** The control group of a node, as its kubelet names it. */
export const cgroupOf = (node: string): string => `/${CGROUP}/${node}`;

const removeTree = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) removeTree(join(path, entry.name));
  rmdirSync(path);
};

/** Removes the control groups of a cluster that has ended; waits for the last processes in them. @throws Error when some do not end */
export const removeCgroups = async (): Promise<void> => {
  if (!hasControlGroups()) return;
  const deadline = Date.now() + GONE_TIMEOUT_MS;
  for (const path of hierarchies().flatMap((hierarchy) => [join(hierarchy, CGROUP), join(hierarchy, OUTSIDE)])) {
    for (;;) {
      try {
        if (existsSync(path)) removeTree(path);
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(POLL_MS);
      }
    }
  }
};

/** Pids of a pod's processes on a node; empty when it has none. @param uid of the pod */
export const processesOfPod = (node: string, uid: string): number[] => {
  const root = join(ROOT, 'pids', CGROUP, node);
  const directories = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && join(entry.parentPath, entry.name).includes(`pod${uid}`))
    .map((entry) => join(entry.parentPath, entry.name));
  return directories.flatMap((directory) => readFileSync(join(directory, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number));
};
