import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import { type Passkeys as PasskeysView, passkeyNameBody, reasonBody } from '../contract/index.ts';
import { type Endpoint, type Incoming, parse } from '../http/endpoint.ts';
import { passkeyIdOf, toPasskeyView } from '../operators/passkey-views.ts';
import { providerPersonOf } from '../operators/provider-person.ts';
import type { Operator, Passkey } from '../store/operators.ts';
import type { Dependencies } from './dependencies.ts';

const named = z.object({ passkeyId: z.string().regex(/^[\da-f]{32}$/, 'must be the id of a passkey') });
const ofOperator = named.extend({ operatorId: z.uuid() });

/** @throws CodedError NOT_FOUND */
const passkeyOf = ({ passkeys }: Operator, passkeyId: string): Passkey => {
  const found = passkeys.find((passkey) => passkeyIdOf(passkey) === passkeyId);
  if (found === undefined) throw new CodedError('NOT_FOUND', { message: 'there is no such passkey' });
  return found;
};

/**
 * Passkeys of the operator who has signed in, and the end of another operator's. One that was lost ends at once, with the sessions that were begun or confirmed with it: each
 * request compares them with the operator's passkeys. The links that its operator has made and nobody has used end as well.
 */
export const passkeyEndpoints = ({ operators, sessionStore, sessions, invitations, record, runtime }: Dependencies): Endpoint[] => {
  const done = (status: string) => ({ body: { actionId: runtime.newId(), status } });
  const viewOf = ({ passkeys, oidc }: Operator): { body: PasskeysView } => ({
    body: { passkeys: passkeys.map(toPasskeyView), ...(oidc === undefined ? {} : { provider: providerPersonOf(oidc) }) },
  });

  const recordedAs = ({ requestId }: Pick<Incoming, 'requestId'>, operator: Operator, subjects: Readonly<Record<string, string>>) => ({
    actor: actorOf(operator._id),
    requestId,
    subjects,
    request: subjects,
  });

  return [
    { method: 'GET', path: '/api/session/passkeys', access: 'session', handle: async (_incoming, { operator }) => viewOf(operator) },
    {
      method: 'POST',
      path: '/api/session/passkeys/{passkeyId}/name',
      access: 'session',
      handle: async (incoming, { operator }) => {
        const { passkeyId } = parse(named, incoming.params);
        const { name } = parse(passkeyNameBody, incoming.body);
        const { id } = passkeyOf(operator, passkeyId);
        const call = recordedAs(incoming, operator, { operator_id: operator._id, passkey_id: passkeyId });
        return record({ ...call, operation: 'session.name-passkey', reason: 'named a passkey' }, async () => {
          await operators.namePasskey(operator._id, id, name);
          return done('named');
        });
      },
    },
    {
      method: 'POST',
      path: '/api/session/passkeys/{passkeyId}/end',
      access: 'session',
      handle: async (incoming, session) => {
        const { operator } = session;
        const { passkeyId } = parse(named, incoming.params);
        const { reason } = parse(reasonBody, incoming.body);
        sessions.requireFresh(session);
        const { id } = passkeyOf(operator, passkeyId);
        const call = recordedAs(incoming, operator, { operator_id: operator._id, passkey_id: passkeyId });
        return record({ ...call, operation: 'session.end-passkey', reason }, async () => {
          if (!(await operators.endPasskey(operator._id, id, { keepsLast: true }))) throw new CodedError('LAST_PASSKEY');
          await sessionStore.endAllWith(operator._id, id);
          await invitations.endAllBy(operator._id);
          return done('ended');
        });
      },
    },
    {
      method: 'POST',
      path: '/api/operators/{operatorId}/passkeys/{passkeyId}/end',
      access: 'operators.manage',
      handle: async (incoming, { operator }) => {
        const { operatorId, passkeyId } = parse(ofOperator, incoming.params);
        const { reason } = parse(reasonBody, incoming.body);
        const owner = await operators.find(operatorId);
        if (owner === null) throw new CodedError('NOT_FOUND');
        const { id } = passkeyOf(owner, passkeyId);
        const call = recordedAs(incoming, operator, { operator_id: operatorId, passkey_id: passkeyId });
        return record({ ...call, operation: 'operators.end-passkey', reason }, async () => {
          // Operators confirm the end of their own passkey, and keep one.
          if (operatorId === operator._id) throw new CodedError('FORBIDDEN', { message: 'nobody ends their own passkey here' });
          await operators.endPasskey(operatorId, id, { keepsLast: false });
          await sessionStore.endAllWith(operatorId, id);
          await invitations.endAllBy(operatorId);
          return done('ended');
        });
      },
    },
  ];
};
