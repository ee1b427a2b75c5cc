import type { AuditRecord } from '@florin/back-office/contract';

type Call = NonNullable<AuditRecord['call']>;

/** A call with its end: the code of its outcome; undefined while, or if, it is unknown. */
export type AuditRow = Call & { sequence: number; at: string; hash: string; code: string | undefined };

/** Joins calls with their outcomes, which are records of their own. Newest first. */
export const auditRows = (records: readonly AuditRecord[]): AuditRow[] => {
  const codes = new Map(records.flatMap(({ outcome }) => (outcome === undefined ? [] : [[outcome.callSequence, outcome.code] as const])));
  return records
    .flatMap(({ call, sequence, at, hash }) => (call === undefined ? [] : [{ ...call, sequence, at, hash, code: codes.get(sequence) }]))
    .sort((a, b) => b.sequence - a.sequence);
};

/** A cell of a table of comma-separated values (RFC 4180). What a spreadsheet would take for a formula becomes text. */
const cell = (value: string): string => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** The rows as comma-separated values. */
export const auditCsv = (rows: readonly AuditRow[]): string =>
  [
    ['sequence', 'at', 'operatorId', 'operatorName', 'operation', 'reason', 'subjects', 'outcome', 'requestId', 'hash'],
    ...rows.map(({ sequence, at, operatorId, operatorName, operation, reason, subjects, code, requestId, hash }) => [
      String(sequence),
      at,
      operatorId,
      operatorName ?? '',
      operation,
      reason,
      Object.entries(subjects)
        .map(([kind, subject]) => `${kind}=${subject}`)
        .join(' '),
      code ?? '',
      requestId,
      hash,
    ]),
  ]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');
