import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditService, type ListAuditEventsRequest, type VerifyAuditLogRequest } from '@florin/proto/audit/v1/audit_service';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { implement, parseRequest, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { AuditLog } from './audit-log.ts';
import type { AuditContent, AuditRecord } from './audit-record.ts';
import type { AuditFilter } from './read-log.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const sequence = z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

const time = z
  .custom<Timestamp>()
  .optional()
  .transform((value) => (value === undefined ? undefined : timestampDate(value)))
  .refine((value) => value === undefined || !Number.isNaN(value.getTime()), 'must be a valid time');

const listSchema = z
  .object({
    afterSequence: sequence,
    limit: z.int().min(0).max(MAX_LIMIT),
    actor: z.string().max(200),
    rpc: z.string().regex(/^(?:|[A-Za-z0-9._]{1,200}\/[A-Za-z0-9]{1,100})$/, 'must be the full name of an RPC'),
    subjectId: z.string().max(128),
    // A name of the contract: the field becomes part of a query.
    subjectField: z.string().regex(/^(?:|[a-z][a-z0-9_]{0,62})$/, 'must be the name of a field'),
    from: time,
    to: time,
  })
  .refine(({ subjectId, subjectField }) => (subjectId === '') === (subjectField === ''), {
    path: ['subjectField'],
    message: 'subjectId and subjectField are required together',
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, { path: ['from'], message: 'must be before to' });

const toFilter = ({ afterSequence, limit, actor, rpc, subjectId, subjectField, from, to }: z.output<typeof listSchema>): AuditFilter => ({
  afterSequence,
  limit: limit === 0 ? DEFAULT_LIMIT : limit,
  ...(actor === '' ? {} : { actor }),
  ...(rpc === '' ? {} : { rpc }),
  ...(subjectId === '' ? {} : { subject: { field: subjectField, id: subjectId } }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const verifySchema = z
  .object({ afterSequence: sequence, afterHash: z.string().regex(/^(?:|[0-9a-f]{64})$/, 'must be 64 hexadecimal digits') })
  .refine(({ afterSequence, afterHash }) => afterHash === '' || afterSequence > 0, {
    path: ['afterHash'],
    message: 'must be empty when afterSequence is 0',
  });

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

/** Creates the RPCs that read a service's audit log. */
export const auditService = (log: AuditLog): ServiceImplementation =>
  implement(AuditService, {
    listAuditEvents: serviceMethod(AUDIT_SCOPES.readEvents, async (request: ListAuditEventsRequest) => {
      const filter = toFilter(parseRequest(listSchema, request));
      const last = await log.lastSequence();
      if (filter.afterSequence > last) {
        throw new CodedError('VALIDATION_FAILED', { message: `afterSequence: must be at most ${last}, the last record` });
      }
      return { events: (await log.list(filter)).map(toWireRecord) };
    }),
    verifyAuditLog: serviceMethod(AUDIT_SCOPES.readEvents, async (request: VerifyAuditLogRequest) => {
      const { afterSequence, afterHash } = parseRequest(verifySchema, request);
      const removed = await log.removedThrough();
      if (afterHash !== '' && afterSequence < removed) {
        throw new CodedError('VALIDATION_FAILED', {
          message: `afterSequence: must be at least ${removed}, up to which records were removed`,
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
  });
