import { type AuditLog, createAuditLog } from '@florin/data/audit';
import { requireSchema } from '@florin/data/migrations';
import { openStore, type Store } from '@florin/data/store';
import type { ServiceKey } from '@florin/rpc/auth';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { createLogger } from '@florin/rpc/observe';
import { systemRuntime } from '@florin/rpc/runtime';
import { requestHashKey } from '../audit/request-hash-key.ts';
import { configShape } from '../config.ts';
import { SCHEMA } from '../store/schema.ts';

const { MONGODB_URI, MONGODB_DATABASE, BACK_OFFICE_URL, SERVICE_KEY, AUDIT_RETENTION_DAYS } = configShape;

export type OpenDatabase = Pick<Store, 'connection' | 'ready'> & {
  auditLog: AuditLog;
  /** Where browsers find the back office. */
  origin: string;
  key: ServiceKey;
  retentionDays: number;
};

/**
 * Works on the back office's database, and closes it.
 * @throws ConfigError when the configuration is invalid
 * @throws UnavailableDependencyError `schema` when the database is too new or too old
 */
export const withDatabase = async <T>(env: Environment, work: (database: OpenDatabase) => Promise<T>): Promise<T> => {
  const config = loadConfig({ MONGODB_URI, MONGODB_DATABASE, BACK_OFFICE_URL, SERVICE_KEY, AUDIT_RETENTION_DAYS }, env);
  const logger = createLogger('back-office', 'warn');
  const store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 2, logger });
  try {
    await requireSchema(store.connection, SCHEMA);
    const auditLog = createAuditLog(store.connection, systemRuntime.now, requestHashKey(config.SERVICE_KEY), config.AUDIT_RETENTION_DAYS);
    return await work({
      connection: store.connection,
      ready: store.ready,
      auditLog,
      origin: config.BACK_OFFICE_URL,
      key: config.SERVICE_KEY,
      retentionDays: config.AUDIT_RETENTION_DAYS,
    });
  } finally {
    await store.close();
  }
};
