import { createHash } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import type { ActionDone, Permission } from '../contract/index.ts';
import { type Endpoint, type Incoming, parse } from '../http/endpoint.ts';
import type { Dependencies } from './dependencies.ts';
import { subjectsOf } from './read-person.ts';

const uuid = z.uuid().toLowerCase();

/** Thumbprint of a key (RFC 7638). */
const thumbprint = /^[\w-]{43}$/;

/** Ids in a path are UUIDs, but for those of partners, which people choose, and of their keys. */
const paramsSchema = z.record(z.string(), z.string()).superRefine((params, context) => {
  for (const [name, id] of Object.entries(params)) {
    if (name === 'partnerId') continue;
    if (name === 'clientId') {
      if (!thumbprint.test(id)) context.addIssue({ code: 'custom', path: [name], message: 'must be the thumbprint of a key' });
    } else if (!uuid.safeParse(id).success) context.addIssue({ code: 'custom', path: [name], message: 'must be a UUID' });
  }
});

/** The input of an action. */
export type ActionCall<B> = {
  /** The same for every repeat: the idempotency key at the services. */
  actionId: string;
  /** Name of the operator at the services. */
  actor: string;
  params: Readonly<Record<string, string>>;
  body: B;
  requestId: string;
};

type Action<B> = {
  path: string;
  access: Permission;
  /** For example `cards.freeze`. */
  operation: string;
  body: z.ZodType<B>;
  /** Ids in the body, recorded in the audit log besides those of the path. */
  subjects?: (body: B) => Readonly<Record<string, string>>;
};

const keyOf = ({ header }: Incoming): string =>
  parse(z.object({ 'Idempotency-Key': uuid }), { 'Idempotency-Key': header('idempotency-key') })['Idempotency-Key'];

const hashOf = (request: unknown): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * An endpoint that changes something. The action has a reason, is in the audit log before it is done, and its outcome before it is answered. It is known by its
 * Idempotency-Key: a repeat does nothing twice, also after a process was killed in between, because the services get the same id again.
 * @param act returns the state of what was changed, and a secret that it has made, which is in the first answer only
 */
export const action = <B extends { reason: string }>(
  { actions, record, runtime }: Dependencies,
  { path, access, operation, body: schema, subjects: namedBy }: Action<B>,
  act: (call: ActionCall<B>) => Promise<string | Pick<ActionDone, 'status' | 'secret'>>,
): Endpoint => ({
  method: 'POST',
  path,
  access,
  handle: async (incoming, { operator }) => {
    const params = parse(paramsSchema, incoming.params);
    const body = parse(schema, incoming.body);
    const request = { operation, params, body };
    const fresh = {
      _id: `${operator._id}:${keyOf(incoming)}`,
      actionId: crypto.randomUUID(),
      requestHash: hashOf(request),
      createdAt: runtime.now(),
    };
    const stored = await actions.begin(fresh);
    if (stored.requestHash !== fresh.requestHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    const { actionId } = stored;
    if (stored.status !== undefined) return { body: { actionId, status: stored.status } };
    const actor = actorOf(operator._id);
    const { requestId } = incoming;
    const subjects = { ...subjectsOf(params), ...namedBy?.(body), action_id: actionId };
    return record({ actor, operation, reason: body.reason, requestId, subjects, request }, async () => {
      const done = await act({ actionId, actor, params, body, requestId });
      const outcome = typeof done === 'string' ? { status: done } : done;
      await actions.done(stored._id, outcome.status);
      const answer: ActionDone = { actionId, ...outcome };
      return { body: answer };
    });
  },
});
