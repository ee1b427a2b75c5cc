import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess, processIdentity } from './process-identity.ts';

export type PidRecord = { name: string; pid: number; identity: string };

/** Records a child that was just started, so that the next start finds it if this launcher is killed. */
export const writePidFile = (runDir: string, name: string, pid: number): void => {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const path = pidPath(runDir, name);
  writeFileSync(`${path}.new`, JSON.stringify({ name, pid, identity } satisfies PidRecord), { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

export const removePidFile = (runDir: string, name: string): void => {
  rmSync(pidPath(runDir, name), { force: true });
};

/** Returns all records in `runDir` and removes files that are not valid records. Safe while a supervisor adds and removes records. */
export const readPidFiles = (runDir: string): PidRecord[] => {
  const records: PidRecord[] = [];
  for (const file of readdirSync(runDir)) {
    if (!file.endsWith('.pid')) continue;
    const text = readIfThere(join(runDir, file));
    if (text === undefined) continue;
    const record = parse(text);
    if (record === undefined) rmSync(join(runDir, file), { force: true });
    else records.push(record);
  }
  return records;
};

/** Reports whether the recorded process is still running; a later process with the same pid does not count. */
export const isRecordAlive = (record: PidRecord): boolean => {
  return isSameProcess(record.pid, record.identity);
};

const pidPath = (runDir: string, name: string): string => {
  return join(runDir, `${name}.pid`);
};

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const parse = (text: string): PidRecord | undefined => {
  try {
    const value = JSON.parse(text) as Partial<PidRecord>;
    if (typeof value.name !== 'string' || typeof value.identity !== 'string') return undefined;
    if (typeof value.pid !== 'number' || !Number.isInteger(value.pid) || value.pid <= 1) return undefined;
    return { name: value.name, pid: value.pid, identity: value.identity };
  } catch {
    return undefined;
  }
};
