import type { AuditRecord as StoredRecord } from '@florin/data/audit';
import { z } from 'zod';
import { actorOf, operatorIdOf } from '../audit/recorder.ts';
import type { AuditRecord } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import type { Dependencies } from './dependencies.ts';

/** Records of a page. */
const LIMIT = 100;

/** How often a verification continues before it answers how far it has come: a million records. */
const ROUNDS = 100;

const query = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  operatorId: z.uuid().optional(),
  userId: z.uuid().optional(),
});

const verificationQuery = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });

const toContract = ({ _id, at, content, hash }: StoredRecord, names: ReadonlyMap<string, string>): AuditRecord => {
  const record = { sequence: _id, at: at.toISOString(), hash };
  if (content.kind === 'outcome') return { ...record, outcome: { callSequence: content.callSequence, code: content.code } };
  if (content.kind === 'trim') return record;
  const { actor, rpc: operation, reason, requestId, subjects } = content.call;
  const operatorId = operatorIdOf(actor);
  const operatorName = names.get(operatorId);
  const who = operatorName === undefined ? { operatorId } : { operatorId, operatorName };
  return { ...record, call: { ...who, operation, reason, requestId, subjects: { ...subjects } } };
};

/** The audit log, and whether its chain of hashes holds. Reading it is recorded too. */
export const auditEndpoints = ({ auditLog, operators, record }: Dependencies): Endpoint[] => [
  {
    method: 'GET',
    path: '/api/audit',
    access: 'audit.read',
    handle: async ({ requestId, query: given }, { operator }) => {
      const { after, operatorId, userId } = parse(query, Object.fromEntries(given));
      const subjects = {
        ...(operatorId === undefined ? {} : { operator_id: operatorId }),
        ...(userId === undefined ? {} : { user_id: userId }),
      };
      const call = { actor: actorOf(operator._id), operation: 'audit.read', reason: 'reading the audit log', requestId, subjects };
      return record({ ...call, request: { after } }, async () => {
        const records = await auditLog.list({
          afterSequence: after,
          limit: LIMIT,
          ...(operatorId === undefined ? {} : { actor: actorOf(operatorId) }),
          ...(userId === undefined ? {} : { subject: { field: 'user_id', id: userId } }),
        });
        const actors = records.flatMap(({ content }) => (content.kind === 'call' ? [operatorIdOf(content.call.actor)] : []));
        const names = await operators.names([...new Set(actors)]);
        const last = records.length === LIMIT ? records.at(-1)?._id : undefined;
        return { body: { records: records.map((one) => toContract(one, names)), ...(last === undefined ? {} : { nextAfter: last }) } };
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
      return record({ ...call, request: { after } }, async () => {
        let verdict = await auditLog.verify(after);
        for (let round = 1; round < ROUNDS && verdict.firstBadSequence === 0; round += 1) {
          const next = await auditLog.verify(verdict.checkedTo, verdict.hash);
          if (next.checkedTo === verdict.checkedTo && next.firstBadSequence === 0) break;
          verdict = next;
        }
        return { body: verdict };
      });
    },
  },
];
