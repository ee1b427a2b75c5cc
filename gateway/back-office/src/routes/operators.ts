import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import { invitationBody, type OpenInvitation, type Operator as OperatorView, reasonBody, rolesBody } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { requireSecondPerson } from '../operators/four-eyes.ts';
import { grantOf, isWaiting } from '../operators/invitations.ts';
import { toPasskeyView } from '../operators/passkey-views.ts';
import { providerPersonOf } from '../operators/provider-person.ts';
import type { StoredInvitation } from '../store/once.ts';
import type { Operator } from '../store/operators.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

const toContract = ({ _id, email, name, roles, status, passkeys, oidc, createdAt, lastSignInAt }: Operator): OperatorView => ({
  id: _id,
  email,
  name,
  roles,
  status,
  passkeys: passkeys.map(toPasskeyView),
  ...(oidc === undefined ? {} : { provider: providerPersonOf(oidc) }),
  createdAt: createdAt.toISOString(),
  ...(lastSignInAt === undefined ? {} : { lastSignInAt: lastSignInAt.toISOString() }),
});

const withId = z.object({ operatorId: z.uuid() });
const withInvitation = z.object({ invitationId: z.string().regex(/^[\da-f]{64}$/, 'must be the id of a link') });

const toOpenInvitation = (invitation: StoredInvitation, names: ReadonlyMap<string, string>): OpenInvitation => {
  const { _id, email, roles, invitedBy, expiresAt } = invitation;
  return {
    id: _id,
    email,
    roles,
    ...(invitedBy === undefined ? {} : { invitedBy: { id: invitedBy, name: names.get(invitedBy) ?? invitedBy } }),
    expiresAt: expiresAt.toISOString(),
    waits: isWaiting(invitation),
  };
};

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
  programRead(
    { record },
    {
      path: '/api/operators/invitations',
      access: 'operators.manage',
      operation: 'operators.list-invitations',
      reason: 'list of open links',
    },
    async () => {
      const open = await invitations.list();
      const names = await operators.names(open.flatMap(({ invitedBy }) => invitedBy ?? []));
      return { invitations: open.map((invitation) => toOpenInvitation(invitation, names)) };
    },
  ),
  {
    method: 'POST',
    path: '/api/operators/invitations/{invitationId}/approve',
    access: 'operators.manage',
    handle: async ({ requestId, params, body }, { operator }) => {
      const { invitationId } = parse(withInvitation, params);
      const { reason } = parse(reasonBody, body);
      const invitation = await invitations.findById(invitationId);
      const actor = actorOf(operator._id);
      const call = { actor, operation: 'operators.approve-invitation', reason, requestId, subjects: grantOf(invitation), request: params };
      return record(call, async () => {
        // Otherwise the person who let both administrators in would decide alone.
        await requireSecondPerson({ operators }, actorOf(invitation.invitedBy ?? ''), actor);
        await invitations.approve(invitationId, operator._id);
        return { body: { actionId: runtime.newId(), status: 'approved' } };
      });
    },
  },
  {
    method: 'POST',
    path: '/api/operators/invitations/{invitationId}/end',
    access: 'operators.manage',
    handle: async ({ requestId, params, body }, { operator }) => {
      const { invitationId } = parse(withInvitation, params);
      const { reason } = parse(reasonBody, body);
      const subjects = grantOf(await invitations.findById(invitationId));
      const call = { actor: actorOf(operator._id), operation: 'operators.end-invitation', reason, requestId, subjects, request: params };
      return record(call, async () => {
        await invitations.end(invitationId);
        return { body: { actionId: runtime.newId(), status: 'ended' } };
      });
    },
  },
  {
    method: 'POST',
    path: '/api/operators/{operatorId}/provider/unlink',
    access: 'operators.manage',
    handle: async ({ requestId, params, body }, { operator }) => {
      const { operatorId } = parse(withId, params);
      const { reason } = parse(reasonBody, body);
      const { oidc } = (await operators.find(operatorId)) ?? {};
      if (oidc === undefined) throw new CodedError('NOT_FOUND', { message: 'the operator is not linked to a person at the provider' });
      const subjects = { operator_id: operatorId, provider_person: oidc };
      const call = { actor: actorOf(operator._id), operation: 'operators.unlink-provider', reason, requestId, subjects, request: params };
      return record(call, async () => {
        await operators.unlinkProvider(operatorId);
        // Sessions that name the person end with their next request; this ends those of an earlier release.
        await sessionStore.endAllAtProvider(operatorId);
        return { body: { actionId: runtime.newId(), status: 'unlinked' } };
      });
    },
  },
  {
    method: 'POST',
    path: '/api/operators/{operatorId}/roles',
    access: 'operators.manage',
    handle: async ({ requestId, params, body }, { operator }) => {
      const { operatorId } = parse(withId, params);
      const { roles, reason } = parse(rolesBody, body);
      const subjects = grantOf({ operatorId, roles });
      const call = { actor: actorOf(operator._id), operation: 'operators.keep-roles', reason, requestId, subjects, request: roles };
      return record(call, async () => {
        if (operatorId === operator._id) throw new CodedError('FORBIDDEN', { message: 'nobody takes their own roles away' });
        // More roles than there are come by a link, which a second administrator approves.
        if (!(await operators.keepRoles(operatorId, roles)))
          throw new CodedError('NOT_FOUND', { message: 'no active operator has these roles' });
        return { body: { actionId: runtime.newId(), status: 'kept' } };
      });
    },
  },
  {
    method: 'POST',
    path: '/api/operators/{operatorId}/disable',
    access: 'operators.manage',
    handle: async ({ requestId, params, body }, { operator }) => {
      const { operatorId } = parse(withId, params);
      const { reason } = parse(reasonBody, body);
      const subjects = { operator_id: operatorId };
      const call = { actor: actorOf(operator._id), operation: 'operators.disable', reason, requestId, subjects, request: params };
      return record(call, async () => {
        if (operatorId === operator._id) throw new CodedError('FORBIDDEN', { message: 'nobody disables themselves' });
        if ((await operators.disable(operatorId)) === null) throw new CodedError('NOT_FOUND');
        // A disabled operator has no session in any case; the records are not needed any more.
        await sessionStore.endAllOf(operatorId);
        return { body: { actionId: runtime.newId(), status: 'disabled' } };
      });
    },
  },
];
