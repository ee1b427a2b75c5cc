import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import { invitationBody, type Operator as OperatorView, reasonBody } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { grantOf } from '../operators/invitations.ts';
import { toPasskeyView } from '../operators/passkey-views.ts';
import type { Operator } from '../store/operators.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

const toContract = ({ _id, email, name, roles, status, passkeys, createdAt, lastSignInAt }: Operator): OperatorView => ({
  id: _id,
  email,
  name,
  roles,
  status,
  passkeys: passkeys.map(toPasskeyView),
  createdAt: createdAt.toISOString(),
  ...(lastSignInAt === undefined ? {} : { lastSignInAt: lastSignInAt.toISOString() }),
});

const withId = z.object({ operatorId: z.uuid() });

/** Operators: who they are, invitations, and their end. */
export const operatorEndpoints = ({ operators, sessionStore, invitations, record, runtime }: Dependencies): Endpoint[] => [
  programRead(
    { record },
    { path: '/api/operators', access: 'operators.manage', operation: 'operators.list', reason: 'list of operators' },
    async () => ({ operators: (await operators.list()).map(toContract) }),
  ),
  {
    method: 'POST',
    path: '/api/operators/invitations',
    access: 'operators.manage',
    handle: async ({ requestId, body }, { operator }) => {
      const { reason, ...invited } = parse(invitationBody, body);
      const actor = actorOf(operator._id);
      const operatorId = await invitations.idOf(invited.email);
      const subjects = grantOf({ ...invited, operatorId });
      const call = { actor, operation: 'operators.invite', reason, requestId, subjects, request: invited };
      const by = { operatorId, invitedBy: operator._id };
      return record(call, async () => ({ status: 201, body: await invitations.invite({ ...invited, ...by }) }));
    },
  },
  {
    method: 'POST',
    path: '/api/operators/{operatorId}/disable',
    access: 'operators.manage',
    handle: async ({ requestId, params, body }, { operator }) => {
      const { operatorId } = parse(withId, params);
      const { reason } = parse(reasonBody, body);
      if (operatorId === operator._id) throw new CodedError('FORBIDDEN', { message: 'nobody disables themselves' });
      const subjects = { operator_id: operatorId };
      const call = { actor: actorOf(operator._id), operation: 'operators.disable', reason, requestId, subjects, request: params };
      return record(call, async () => {
        if ((await operators.disable(operatorId)) === null) throw new CodedError('NOT_FOUND');
        // A disabled operator has no session in any case; the records are not needed any more.
        await sessionStore.endAllOf(operatorId);
        return { body: { actionId: runtime.newId(), status: 'disabled' } };
      });
    },
  },
];
