import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { earlierTime, openStore } from '../store/index.ts';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { removableBefore } from './audit-record.ts';

/** Configuration of a service's audit log. */
export const auditShape = {
  /** Number of days for which recorded calls stay in the audit log. 0 keeps them without end. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(1825),
  /**
   * Removes old records from the audit log: the process, or a job with a user of its own in the database (deploy/k8s/components/audit-retention), so that the process
   * needs no right to remove any.
   */
  AUDIT_TRIMMING: z.enum(['process', 'job']).default('process'),
} as const;

type AuditTrimming = z.output<z.ZodObject<typeof auditShape>>;

const trimOld = async (log: Pick<AuditLog, 'trim'>, connection: Connection, days: number, now: () => Date): Promise<void> => {
  if (days > 0) await log.trim(removableBefore(days, await earlierTime(connection, now)));
};

const INTERVAL_MS = 60 * 60_000;

/**
 * Removes old records once an hour, unless a job does, by the earlier of the process's clock and the engine's. A log that cannot be trimmed because it was changed is logged as a
 * warning every time.
 */
export const startAuditRetention = ({
  log,
  connection,
  config: { AUDIT_RETENTION_DAYS: days, AUDIT_TRIMMING: by },
  runtime,
  logger,
  intervalMs = INTERVAL_MS,
}: {
  log: Pick<AuditLog, 'trim'>;
  connection: Connection;
  config: AuditTrimming;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  intervalMs?: number;
}): Rounds =>
  startRounds({
    round: async () => {
      if (by === 'process') await trimOld(log, connection, days, runtime.now);
    },
    intervalMs,
    logger,
    failed: 'trimming the audit log failed, will retry',
  });

/**
 * Removes old records from the audit logs of several databases, as the job does: the user of its URI finds, inserts and removes records of audit logs, creates their indexes, and nothing else.
 * @returns the databases whose log was not trimmed, because it was changed or the engine failed. The others are trimmed
 */
export const trimAuditLogs = async ({
  uri,
  databases,
  days,
  runtime,
  logger,
}: {
  uri: string;
  databases: readonly string[];
  days: number;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
}): Promise<string[]> => {
  const failed: string[] = [];
  for (const database of databases) {
    try {
      const store = await openStore({ uri, database, poolSize: 1, logger });
      // No call is recorded with it: the key of hashes of requests is not needed.
      const log = createAuditLog(store.connection, runtime.now, new Uint8Array(32));
      try {
        // The processes whose logs they are may not: an index can remove records.
        await store.ready();
        await trimOld(log, store.connection, days, runtime.now);
      } finally {
        await store.close();
      }
    } catch (err) {
      logger.error({ err, database }, 'trimming the audit log failed');
      failed.push(database);
    }
  }
  return failed;
};
