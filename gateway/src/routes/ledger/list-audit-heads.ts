import { timestampDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

const auditHead = z
  .object({
    service: z.string().meta({ description: 'Name of the process' }),
    sequence: z.number().int().min(1).meta({ description: 'Number of the record' }),
    hash: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of the record, which covers all records before it' }),
    at: z.iso.datetime().meta({ description: 'When the record was added' }),
    seal: z
      .string()
      .regex(/^0x[0-9a-f]{128}$/)
      .meta({
        description:
          'Ed25519 by the key of the process, over the JSON array ["florin-audit-head-1", service, sequence, hash, at] without white space',
      }),
  })
  .meta({ id: 'AuditHead' });

/** Heads are signed every ten minutes. */
const FRESH_SECONDS = 60;

export const listAuditHeads = defineRoute({
  operationId: 'listAuditHeads',
  method: 'get',
  path: '/.well-known/audit-heads',
  tag: 'Ledger',
  summary: 'Signed heads of the audit logs',
  description:
    'Each head states that the audit log of a service has a record, and everything before it. A copy kept elsewhere shows later whether any of it was changed or removed (`npm run audit-log -- --heads FILE`). Those of settlement, webhooks and the back office are in their output only. A service that does not answer, or has signed none since it started, is missing; each of its instances signs for itself. The keys are in the operator’s trust list.',
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  answers: { 200: z.object({ heads: z.array(auditHead) }) },
  errors: [],
  handler: async (_input, { upstream, asGateway, logger }) => {
    const answers = await Promise.all(
      upstream.audit.map((client) =>
        asGateway((options) => client.getAuditHead({}, options)).catch((err: unknown) => {
          // One that is away, or of an earlier release, keeps nobody from the heads of the others.
          logger.warn({ err }, 'a service did not give the head of its audit log');
          return undefined;
        }),
      ),
    );
    const heads = answers.flatMap((answer) => {
      const { head } = answer ?? {};
      if (head?.at === undefined) return [];
      const { service, sequence, hash, at, seal } = head;
      return [{ service, sequence: Number(sequence), hash, at: timestampDate(at).toISOString(), seal }];
    });
    return { heads };
  },
});
