import type { RecordedCall } from '@florin/data/audit';
import { requireFields } from '@florin/rpc/contract';
import { z } from 'zod';
import { actorOf, operatorIdOf } from '../audit/recorder.ts';
import { verifyWhole } from '../audit/verify-whole.ts';
import type { AuditCall, AuditCalls } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import type { Dependencies } from './dependencies.ts';

/** Calls of a page. */
const LIMIT = 100;

/** The name of a reading in the log. */
const READ = 'audit.read';

/** How often a verification continues before it answers how far it has come: a million records. */
const ROUNDS = 100;

const time = z.iso
  .datetime()
  .transform((text) => new Date(text))
  .optional();

const query = z
  .strictObject({
    before: z.coerce.number().int().min(1).optional(),
    operatorId: z.uuid().optional(),
    userId: z.uuid().toLowerCase().optional(),
    operation: z
      .string()
      .regex(/^[a-z][\w.-]{0,63}$/i)
      .optional(),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,63}$/)
      .optional(),
    from: time,
    to: time,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, { path: ['from'], message: 'must be before to' });

const verificationQuery = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });

const toContract = ({ _id, at, hash, call, outcome }: RecordedCall, names: ReadonlyMap<string, string>, requestId: string): AuditCall => {
  const operatorId = operatorIdOf(call.actor);
  const operatorName = names.get(operatorId);
  return {
    sequence: _id,
    at: at.toISOString(),
    hash,
    operatorId,
    ...(operatorName === undefined ? {} : { operatorName }),
    operation: call.rpc,
    reason: call.reason,
    requestId: call.requestId,
    subjects: { ...call.subjects },
    ...(outcome === undefined ? {} : { outcome: { code: outcome.code, at: outcome.at.toISOString() } }),
    ...(outcome === undefined && call.rpc === READ && call.requestId === requestId ? { isThisReading: true } : {}),
  };
};

/** The audit log, and whether its chain of hashes holds. Reading it is recorded too. */
export const auditEndpoints = ({ auditLog, operators, record }: Dependencies): Endpoint[] => [
  {
    method: 'GET',
    path: '/api/audit',
    access: 'audit.read',
    handle: async ({ requestId, query: given }, { operator }) => {
      const { before, operatorId, userId, operation, code, from, to } = parse(query, Object.fromEntries(given));
      const subjects = {
        ...(operatorId === undefined ? {} : { operator_id: operatorId }),
        ...(userId === undefined ? {} : { user_id: userId }),
      };
      const call = { actor: actorOf(operator._id), operation: READ, reason: 'reading the audit log', requestId, subjects };
      return record({ ...call, request: { before, operation, code, from, to } }, async (): Promise<{ body: AuditCalls }> => {
        const [operations, codes] = await Promise.all([auditLog.listRpcs(), auditLog.listCodes()]);
        const unknownOf = (value: string | undefined, known: readonly string[]) =>
          value === undefined || known.includes(value) ? undefined : 'must be one of which the log has calls';
        requireFields({ operation: unknownOf(operation, operations), code: unknownOf(code, codes) });
        const recorded = await auditLog.listCalls({
          limit: LIMIT,
          ...(before === undefined ? {} : { beforeSequence: before }),
          ...(operatorId === undefined ? {} : { actor: actorOf(operatorId) }),
          ...(userId === undefined ? {} : { subject: { field: 'user_id', id: userId } }),
          ...(operation === undefined ? {} : { rpc: operation }),
          ...(code === undefined ? {} : { code }),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        });
        const names = await operators.names([...new Set(recorded.map((one) => operatorIdOf(one.call.actor)))]);
        const nextBefore = recorded.length === LIMIT ? recorded.at(-1)?._id : undefined;
        return {
          body: {
            calls: recorded.map((one) => toContract(one, names, requestId)),
            operations,
            codes,
            ...(nextBefore === undefined ? {} : { nextBefore }),
            removedThrough: await auditLog.removedThrough(),
          },
        };
      });
    },
  },
  {
    method: 'GET',
    path: '/api/audit/verification',
    access: 'audit.read',
    handle: async ({ requestId, query: given }, { operator }) => {
      const { after } = parse(verificationQuery, Object.fromEntries(given));
      const call = { actor: actorOf(operator._id), operation: 'audit.verify', reason: 'verifying the audit log', requestId, subjects: {} };
      return record({ ...call, request: { after } }, async () => ({ body: await verifyWhole(auditLog, { sequence: after }, ROUNDS) }));
    },
  },
];
