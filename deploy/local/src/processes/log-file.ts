import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_LOG_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

export type LogFile = {
  path: string;
  /** Given to the child, which appends by itself: logging continues when the launcher is gone. */
  fd: number;
  /** The last non-empty lines written since the file was opened. */
  tail: (lines: number) => string[];
  close: () => void;
};

/** Opens `<name>.log` for appending. A file larger than `maxBytes` is moved to `<name>.log.1` first. */
export const openLogFile = (logsDir: string, name: string, maxBytes: number = MAX_LOG_BYTES): LogFile => {
  const path = join(logsDir, `${name}.log`);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a+', 0o600);
  const startedAt = fstatSync(fd).size;
  return { path, fd, tail: (lines) => readTail(fd, startedAt, lines), close: () => closeSync(fd) };
};

const readTail = (fd: number, startedAt: number, lines: number): string[] => {
  const size = fstatSync(fd).size;
  const from = Math.max(startedAt, size - TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - from));
  const read = readSync(fd, buffer, 0, buffer.length, from);
  const all = buffer.subarray(0, read).toString('utf8').split('\n');
  return all.filter((line) => line.trim() !== '').slice(-lines);
};
