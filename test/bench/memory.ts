import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has exited in the meantime.
    return '';
  }
};

const parents = (): Map<number, number> => {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  // The command is enclosed in parentheses and may contain spaces; the parent is the second field after it.
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
 * Returns the resident memory of a process and its descendants in MiB (Linux). Shared pages are divided among the processes that share
 * them (PSS), because the processes of PostgreSQL share most of theirs.
 */
export const residentMebibytes = (root: number): number => {
  const tree = parents();
  const pids = [...tree.keys()].filter((pid) => isWithin(tree, pid, root));
  return pids.reduce((sum, pid) => sum + proportionalKib(pid), 0) / 1024;
};
