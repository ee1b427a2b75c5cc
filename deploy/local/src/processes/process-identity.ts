import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns a value that distinguishes a process from a later one with the same pid: boot id and start time in clock ticks, or,
 * without /proc (macOS), the start time in seconds that `ps` prints. Undefined when no such process is running; a zombie does
 * not count as running because it no longer holds any resources.
 */
export const processIdentity = (pid: number): string | undefined => {
  if (process.platform !== 'linux') return psIdentity(pid);
  const fields = statFields(pid);
  // Field 3 is the state and field 22 the start time (proc_pid_stat(5)); `fields` starts at field 3.
  const startTicks = fields?.[19];
  if (fields === undefined || startTicks === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${bootId()}:${startTicks}`;
};

/** Reports whether `pid` is still the process whose identity is `identity`. */
export const isSameProcess = (pid: number, identity: string): boolean => {
  return processIdentity(pid) === identity;
};

const statFields = (pid: number): string[] | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name is enclosed in parentheses and may itself contain spaces and parentheses: cut after the last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
};

let cachedBootId: string | undefined;

const bootId = (): string => {
  cachedBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return cachedBootId;
};

const psIdentity = (pid: number): string | undefined => {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return started === '' ? undefined : started;
  } catch {
    return undefined;
  }
};
