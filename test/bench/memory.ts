import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended meanwhile.
    return '';
  }
};

const parents = (): Map<number, number> => {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  // The command in parentheses may hold spaces; the parent is the second field behind it.
  return new Map(pids.map((pid) => [pid, Number(read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[1] ?? 0)]));
};

const isWithin = (tree: Map<number, number>, pid: number, root: number): boolean => {
  for (let current: number | undefined = pid; current !== undefined && current > 1; current = tree.get(current)) {
    if (current === root) return true;
  }
  return false;
};

const proportionalKib = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

/**
 * Resident memory of a process and all its children in MiB (Linux). Pages that several share count once (PSS): PostgreSQL's
 * children share theirs.
 */
export const residentMebibytes = (root: number): number => {
  const tree = parents();
  const pids = [...tree.keys()].filter((pid) => isWithin(tree, pid, root));
  return pids.reduce((sum, pid) => sum + proportionalKib(pid), 0) / 1024;
};
