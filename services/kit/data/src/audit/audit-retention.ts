import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { daysMs } from '../retention/index.ts';
import { earlierTime } from '../store/index.ts';
import type { AuditLog } from './audit-log.ts';

/** Configuration of a service's audit log. */
export const auditShape = {
  /** Number of days for which recorded calls stay in the audit log. 0 keeps them without end. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(1825),
} as const;

const INTERVAL_MS = 60 * 60_000;

/** Removes old records once an hour, by the earlier of the process's clock and the engine's. A log that cannot be trimmed because it was changed is logged as a warning every time. */
export const startAuditRetention = ({
  log,
  connection,
  days,
  runtime,
  logger,
  intervalMs = INTERVAL_MS,
}: {
  log: Pick<AuditLog, 'trim'>;
  connection: Connection;
  days: number;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  intervalMs?: number;
}): Rounds =>
  startRounds({
    round: async () => {
      if (days > 0) await log.trim(new Date((await earlierTime(connection, runtime.now)).getTime() - daysMs(days)));
    },
    intervalMs,
    logger,
    failed: 'trimming the audit log failed, will retry',
  });
