import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../report.ts';
import { isRecordAlive, readPidFiles, removePidFile } from './pid-file.ts';
import { signalGroup } from './process-group.ts';

const POLL_MS = 50;

/**
 * Stops the processes that a killed launcher left running: SIGINT to all of them, SIGKILL after `graceMs`. Call it only while
 * holding the lock of the data directory, otherwise it stops a live platform. SIGINT because PostgreSQL waits for all clients to
 * disconnect on SIGTERM; the other programs treat both signals alike.
 */
export const sweepLeftovers = async (runDir: string, report: Report, graceMs = 10_000): Promise<void> => {
  const alive = readPidFiles(runDir).filter((record) => {
    if (isRecordAlive(record)) return true;
    removePidFile(runDir, record.name);
    return false;
  });
  if (alive.length === 0) return;
  report(`stopping processes that an earlier start left running: ${alive.map((record) => record.name).join(', ')}`);
  for (const record of alive) signalGroup(record.pid, 'SIGINT');
  const deadline = Date.now() + graceMs;
  let remaining = alive;
  while (remaining.length > 0) {
    await sleep(POLL_MS);
    remaining = remaining.filter(isRecordAlive);
    if (Date.now() > deadline) for (const record of remaining) signalGroup(record.pid, 'SIGKILL');
  }
  for (const record of alive) removePidFile(runDir, record.name);
};
