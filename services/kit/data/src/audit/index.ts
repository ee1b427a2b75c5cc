export { type AuditHead, checkHeads, readAuditHeads, startAuditHeads } from './audit-heads.ts';
export { type AuditLog, createAuditLog } from './audit-log.ts';
export type { AuditContent, AuditRecord } from './audit-record.ts';
export { auditShape, startAuditRetention, trimAuditLogs } from './audit-retention.ts';
export { auditService } from './audit-service.ts';
export type { RecordedCall } from './read-log.ts';
