import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../report.ts';
import { isRecordAlive, readPidFiles, removePidFile } from './pid-file.ts';
import { signalGroup } from './process-group.ts';

const POLL_MS = 50;

/**
 * Ends what a killed launcher left running: all at once, and by force after `graceMs`. Call it only while holding the lock
 * of the data directory, otherwise it would end a live platform. It sends SIGINT, because PostgreSQL takes SIGTERM as
 * 'wait for all clients to leave' and every other child treats both alike.
 */
export async function sweepLeftovers(runDir: string, report: Report, graceMs = 10_000): Promise<void> {
  const alive = readPidFiles(runDir).filter((record) => {
    if (isRecordAlive(record)) return true;
    removePidFile(runDir, record.name);
    return false;
  });
  if (alive.length === 0) return;
  report(`stopping what an earlier, killed start left running: ${alive.map((record) => record.name).join(', ')}`);
  for (const record of alive) signalGroup(record.pid, 'SIGINT');
  const deadline = Date.now() + graceMs;
  let left = alive;
  while (left.length > 0) {
    await sleep(POLL_MS);
    left = left.filter(isRecordAlive);
    if (Date.now() > deadline) for (const record of left) signalGroup(record.pid, 'SIGKILL');
  }
  for (const record of alive) removePidFile(runDir, record.name);
}
