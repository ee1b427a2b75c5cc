import { withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf, type Recorded } from '../audit/recorder.ts';
import { type Answer, type Endpoint, type Incoming, parse } from '../http/endpoint.ts';
import type { OperatorSession } from '../operators/sessions.ts';
import type { Dependencies } from './dependencies.ts';

const uuid = z.uuid().toLowerCase();

/** The ids of a path by the names under which the audit log has them. */
export const subjectsOf = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, id]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), id]));

/** The id of the person whom a path names. @throws CodedError VALIDATION_FAILED */
export const userIdOf = ({ params }: Pick<Incoming, 'params'>): string => parse(z.object({ userId: uuid }), params).userId;

/** Requires something of an account of the person's: the current one, or a former one. @throws CodedError of the given code */
export const requireOwn = async <Found extends { accountId: string }>(
  { services }: Pick<Dependencies, 'services'>,
  found: Found | undefined,
  { userId, requestId }: { userId: string; requestId: string },
  code: 'DEPOSIT_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'PAYMENT_NOT_FOUND',
): Promise<Found> => {
  if (found === undefined) throw new CodedError(code);
  const key = { case: 'accountId', value: found.accountId } as const;
  const { account } = await services.accounts.getAccount({ key }, withinRequest({ requestId }));
  if (account?.userId !== userId) throw new CodedError(code);
  return found;
};

/** The input of a read: the ids of its path, valid, and where its page begins. */
export type PersonRead = { userId: string; params: Readonly<Record<string, string>>; cursor: string; requestId: string };

const cursorQuery = z.object({ cursor: z.string().max(500).default('') });

/** The reason for which this operator may read this person's file now. @throws CodedError REASON_REQUIRED */
const requireAccess = async ({ accesses, runtime }: Dependencies, { operator }: OperatorSession, userId: string): Promise<string> => {
  const access = await accesses.find(operator._id, userId, runtime.now());
  if (access === null) throw new CodedError('REASON_REQUIRED', { message: 'say first why you read this file (POST …/access)' });
  return access.reason;
};

/** The audit record of a call about a person. */
export const aboutPerson = (
  { params, requestId }: Incoming,
  { operator }: OperatorSession,
  { operation, reason, request }: Pick<Recorded, 'operation' | 'reason' | 'request'>,
): Recorded => ({ actor: actorOf(operator._id), operation, reason, requestId, subjects: subjectsOf(params), request });

/**
 * An endpoint that reads a part of a person's file. It needs an access with a reason, under which each read is recorded before anything is read.
 * @param path below `/api/people/{userId}`
 */
export const personRead = (
  parts: Dependencies,
  { path, operation }: { path: string; operation: string },
  read: (call: PersonRead) => Promise<unknown>,
): Endpoint => ({
  method: 'GET',
  path: `/api/people/{userId}${path}`,
  access: 'people.read',
  handle: async (incoming, session): Promise<Answer> => {
    const params = parse(z.record(z.string(), uuid), incoming.params);
    const userId = userIdOf({ params });
    const { cursor } = parse(cursorQuery, Object.fromEntries(incoming.query));
    const reason = await requireAccess(parts, session, userId);
    const call = aboutPerson({ ...incoming, params }, session, { operation, reason, request: { params, cursor } });
    return parts.record(call, async () => ({ body: await read({ userId, params, cursor, requestId: incoming.requestId }) }));
  },
});
