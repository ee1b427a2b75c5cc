import { readFileSync } from 'node:fs';

/** Ticks per second of the times in /proc (USER_HZ, which is 100 on all platforms of Linux that Node supports). */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used so far, in microseconds (Linux, proc(5)). */
export const processorMicroseconds = (pid: number): number => {
  // The command is enclosed in parentheses and may contain spaces. User and system time are the 12th and 13th field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000_000;
};
