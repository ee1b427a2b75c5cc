import type { AuditCall } from '@florin/back-office/contract';
import { toCsv } from './csv.ts';

const HEAD = ['sequence', 'at', 'operatorId', 'operatorName', 'operation', 'reason', 'subjects', 'outcome', 'endedAt', 'requestId', 'hash'];

/** Calls of the audit log as comma-separated values. */
export const auditCsv = (calls: readonly AuditCall[]): string =>
  toCsv([
    HEAD,
    ...calls.map(({ sequence, at, operatorId, operatorName, operation, reason, subjects, outcome, requestId, hash }) => [
      String(sequence),
      at,
      operatorId,
      operatorName ?? '',
      operation,
      reason,
      Object.entries(subjects)
        .map(([kind, subject]) => `${kind}=${subject}`)
        .join(' '),
      outcome?.code ?? '',
      outcome?.at ?? '',
      requestId,
      hash,
    ]),
  ]);
