import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditService, type ListAuditEventsRequest, type VerifyAuditLogRequest } from '@florin/proto/audit/v1/audit_service';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { implement, parseRequest, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { AuditLog, AuditRecord } from './audit-log.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const sequence = z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

const listSchema = z.object({
  afterSequence: sequence,
  limit: z.int().min(0).max(MAX_LIMIT),
  actor: z.string().max(200),
});

const verifySchema = z
  .object({ afterSequence: sequence, afterHash: z.string().regex(/^(?:|[0-9a-f]{64})$/, 'must be 64 hexadecimal digits') })
  .refine(({ afterSequence, afterHash }) => afterHash === '' || afterSequence > 0, {
    path: ['afterHash'],
    message: 'must be empty when afterSequence is 0',
  });

const toWireRecord = ({ _id, at, content, hash }: AuditRecord) => ({
  sequence: BigInt(_id),
  at: timestampFromDate(at),
  hash,
  record:
    content.kind === 'call'
      ? { case: 'call' as const, value: { ...content.call, subjects: { ...content.call.subjects } } }
      : { case: 'outcome' as const, value: { callSequence: BigInt(content.callSequence), code: content.code } },
});

/** Creates the RPCs that read a service's audit log. */
export const auditService = (log: AuditLog): ServiceImplementation =>
  implement(AuditService, {
    listAuditEvents: serviceMethod(AUDIT_SCOPES.readEvents, async (request: ListAuditEventsRequest) => {
      const { afterSequence, limit, actor } = parseRequest(listSchema, request);
      const filter = { afterSequence, limit: limit === 0 ? DEFAULT_LIMIT : limit, ...(actor === '' ? {} : { actor }) };
      return { events: (await log.list(filter)).map(toWireRecord) };
    }),
    verifyAuditLog: serviceMethod(AUDIT_SCOPES.readEvents, async (request: VerifyAuditLogRequest) => {
      const { afterSequence, afterHash } = parseRequest(verifySchema, request);
      const { checkedTo, hash, firstBadSequence } = await log.verify(afterSequence, afterHash === '' ? undefined : afterHash);
      return { checkedTo: BigInt(checkedTo), hash, firstBadSequence: BigInt(firstBadSequence) };
    }),
  });
