import { readFileSync } from 'node:fs';

/** Ticks per second of the times in /proc (USER_HZ, which is 100 on all platforms of Linux that Node supports). */
const TICKS_PER_SECOND = 100;

/** What /proc/<pid>/stat says of a process (Linux, proc(5)); times in seconds. */
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
