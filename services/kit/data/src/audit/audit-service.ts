import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditService, type ListAuditEventsRequest, type VerifyAuditLogRequest } from '@florin/proto/audit/v1/audit_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, publicMethod, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import type { AuditHead } from './audit-heads.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditContent, AuditRecord } from './audit-record.ts';
import type { AuditFilter } from './read-log.ts';

const DEFAULT_LIMIT = 100;
const toTime = (value: Timestamp | undefined): Date | undefined => value && timestampDate(value);

const toFilter = (request: ListAuditEventsRequest): AuditFilter => {
  const { afterSequence, limit, actor, rpc, subjectId, subjectField } = request;
  const [from, to] = [toTime(request.from), toTime(request.to)];
  requireFields({
    subject_field: (subjectId === '') === (subjectField === '') ? undefined : 'subject_id and subject_field are required together',
    from: from === undefined || to === undefined || from < to ? undefined : 'must be before to',
  });
  return {
    afterSequence: Number(afterSequence),
    limit: limit === 0 ? DEFAULT_LIMIT : limit,
    ...(actor === '' ? {} : { actor }),
    ...(rpc === '' ? {} : { rpc }),
    ...(subjectId === '' ? {} : { subject: { field: subjectField, id: subjectId } }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
};

const toWireContent = (content: AuditContent) => {
  switch (content.kind) {
    case 'call':
      return { case: 'call' as const, value: { ...content.call, subjects: { ...content.call.subjects } } };
    case 'outcome':
      return { case: 'outcome' as const, value: { callSequence: BigInt(content.callSequence), code: content.code } };
    case 'trim':
      return { case: 'trim' as const, value: { removedThrough: BigInt(content.removedThrough), removedHash: content.removedHash } };
  }
};

const toWireRecord = ({ _id, at, content, hash }: AuditRecord) => ({
  sequence: BigInt(_id),
  at: timestampFromDate(at),
  hash,
  record: toWireContent(content),
});

/**
 * Creates the RPCs that read a service's audit log.
 * @param newestHead what the process has signed last
 */
export const auditService = (log: AuditLog, newestHead: () => AuditHead | undefined): ServiceImplementation =>
  implement(AuditService, {
    listAuditEvents: serviceMethod(async (request: ListAuditEventsRequest) => {
      const filter = toFilter(request);
      const last = await log.lastSequence();
      if (filter.afterSequence > last) {
        throw new CodedError('VALIDATION_FAILED', { message: `after_sequence: must be at most ${last}, the last record` });
      }
      return { events: (await log.list(filter)).map(toWireRecord) };
    }),
    verifyAuditLog: serviceMethod(async (request: VerifyAuditLogRequest) => {
      const { afterHash } = request;
      const afterSequence = Number(request.afterSequence);
      requireFields({ after_hash: afterHash !== '' && afterSequence === 0 ? 'must be empty when after_sequence is 0' : undefined });
      const removed = await log.removedThrough();
      if (afterHash !== '' && afterSequence < removed) {
        throw new CodedError('VALIDATION_FAILED', {
          message: `after_sequence: must be at least ${removed}, up to which records were removed`,
        });
      }
      const verdict = await log.verify(afterSequence, afterHash === '' ? undefined : afterHash);
      return {
        checkedTo: BigInt(verdict.checkedTo),
        hash: verdict.hash,
        firstBadSequence: BigInt(verdict.firstBadSequence),
        removedThrough: BigInt(verdict.removedThrough),
      };
    }),
    getAuditHead: publicMethod(async () => {
      const head = newestHead();
      if (head === undefined) return {};
      return { head: { ...head, sequence: BigInt(head.sequence), at: timestampFromDate(new Date(head.at)) } };
    }),
  });
