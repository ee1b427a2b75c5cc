import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What tells one process from a later one that was given the same pid: boot id and start time in clock ticks. Without
 * /proc (macOS) the start time that `ps` prints, in seconds. Undefined when no such process runs; a zombie does not count
 * as running, since it holds nothing any more.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return psIdentity(pid);
  const fields = statFields(pid);
  // Field 3 is the state and field 22 the start time; `fields` begins at field 3.
  const startTicks = fields?.[19];
  if (fields === undefined || startTicks === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${bootId()}:${startTicks}`;
}

/** Whether `pid` is still the process that `identity` was taken from. */
export function isSameProcess(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name stands in parentheses and may hold spaces and parentheses itself: cut after the last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

let cachedBootId: string | undefined;

function bootId(): string {
  cachedBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return cachedBootId;
}

function psIdentity(pid: number): string | undefined {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return started === '' ? undefined : started;
  } catch {
    return undefined;
  }
}
