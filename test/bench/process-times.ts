import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second of the times in /proc (USER_HZ, which is 100 on all platforms of Linux that Node supports). */
const TICKS_PER_SECOND = 100;

/** The fields of /proc/<pid>/stat (Linux, proc(5)); times in seconds. */
export type ProcessTimes = { name: string; parent: number; own: number; endedChildren: number };

/** @throws when the process has ended */
export const processTimes = (pid: number): ProcessTimes => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command is enclosed in parentheses and may contain spaces and parentheses.
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS_PER_SECOND);
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    own: user + system,
    endedChildren: childUser + childSystem,
  };
};

/** Returns the processor time that a process has used so far, in microseconds. */
export const processorMicroseconds = (pid: number): number => processTimes(pid).own * 1_000_000;

type RunningProcess = ProcessTimes & { pid: number };

/** All processes of the machine that can be read. */
export const runningProcesses = (): RunningProcess[] =>
  readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      return [{ pid: Number(entry), ...processTimes(Number(entry)) }];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });

/**
 * Returns the processor time in microseconds that each of the named processes has used so far, with all that descend from it except
 * other named processes.
 * @param roots names by pid
 */
export const processorByRoot = (roots: ReadonlyMap<number, string>): Map<string, number> => {
  const running = new Map(runningProcesses().map((one) => [one.pid, one]));
  const rootOf = (pid: number): string | undefined => {
    for (let at: number | undefined = pid; at !== undefined; at = running.get(at)?.parent) {
      const name = roots.get(at);
      if (name !== undefined) return name;
    }
    return undefined;
  };
  const times = new Map([...roots.values()].map((name) => [name, 0]));
  for (const { pid, own, endedChildren } of running.values()) {
    const name = rootOf(pid);
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + (own + endedChildren) * 1_000_000);
  }
  return times;
};
