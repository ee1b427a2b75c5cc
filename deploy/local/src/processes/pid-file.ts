import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess, processIdentity } from './process-identity.ts';

export type PidRecord = { name: string; pid: number; identity: string };

/** Records a child that was just started, so that the next start finds it when this launcher is killed. */
export function writePidFile(runDir: string, name: string, pid: number): void {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  const path = pidPath(runDir, name);
  writeFileSync(`${path}.new`, JSON.stringify({ name, pid, identity } satisfies PidRecord), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removePidFile(runDir: string, name: string): void {
  rmSync(pidPath(runDir, name), { force: true });
}

/** All records of `runDir`; a file that cannot be read as one is dropped, it can name no process. A supervisor may be at work on them. */
export function readPidFiles(runDir: string): PidRecord[] {
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
}

/** Whether the recorded process itself, and not a later one with its pid, still runs. */
export function isRecordAlive(record: PidRecord): boolean {
  return isSameProcess(record.pid, record.identity);
}

function pidPath(runDir: string, name: string): string {
  return join(runDir, `${name}.pid`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): PidRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<PidRecord>;
    if (typeof value.name !== 'string' || typeof value.identity !== 'string') return undefined;
    if (typeof value.pid !== 'number' || !Number.isInteger(value.pid) || value.pid <= 1) return undefined;
    return { name: value.name, pid: value.pid, identity: value.identity };
  } catch {
    return undefined;
  }
}
