export { type AuditContent, type AuditLog, type AuditRecord, createAuditLog } from './audit-log.ts';
export { auditService } from './audit-service.ts';
