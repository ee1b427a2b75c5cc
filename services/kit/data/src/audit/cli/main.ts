import { loadConfig, processEnvironment } from '@florin/rpc/config';
import { createLogger } from '@florin/rpc/observe';
import { systemRuntime } from '@florin/rpc/runtime';
import { z } from 'zod';
import { storeShape } from '../../store/index.ts';
import { auditShape, trimAuditLogs } from '../index.ts';

/** Trims the audit logs of the databases of AUDIT_DATABASES, separated by commas, once. */
const shape = {
  MONGODB_URI: storeShape.MONGODB_URI,
  AUDIT_DATABASES: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(storeShape.MONGODB_DATABASE)),
  AUDIT_RETENTION_DAYS: auditShape.AUDIT_RETENTION_DAYS,
};

const config = loadConfig(shape, processEnvironment());
const failed = await trimAuditLogs({
  uri: config.MONGODB_URI,
  databases: config.AUDIT_DATABASES,
  days: config.AUDIT_RETENTION_DAYS,
  runtime: systemRuntime,
  logger: createLogger('audit-retention', 'info'),
});
process.exit(failed.length === 0 ? 0 : 1);
