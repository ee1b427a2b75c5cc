import type { AuditCall } from '@florin/back-office/contract';

/** A cell of a table of comma-separated values (RFC 4180). What a spreadsheet would take for a formula becomes text. */
const cell = (value: string): string => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

const HEAD = ['sequence', 'at', 'operatorId', 'operatorName', 'operation', 'reason', 'subjects', 'outcome', 'endedAt', 'requestId', 'hash'];

/** Calls of the audit log as comma-separated values. */
export const auditCsv = (calls: readonly AuditCall[]): string =>
  [
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
  ]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');
