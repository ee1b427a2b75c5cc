import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf, type Recorded } from '../audit/recorder.ts';
import { ceremonyAnswer, enrolment, enrolmentStart } from '../contract/index.ts';
import { type Answer, type Endpoint, type Incoming, parse } from '../http/endpoint.ts';
import { ANOTHER_ACCOUNT, grantOf } from '../operators/invitations.ts';
import { passkeyIdOf } from '../operators/passkey-views.ts';
import { REFUSED } from '../operators/passkeys.ts';
import type { OperatorSession } from '../operators/sessions.ts';
import type { StoredInvitation } from '../store/once.ts';
import type { Conflict, Operator } from '../store/operators.ts';
import type { Dependencies } from './dependencies.ts';

const withSessionId = z.object({ sessionId: z.string().regex(/^[\da-f]{32}$/, 'must be the id of a session') });

/** The record of something that an operator does with their own session. */
const ofSession = (requestId: string, { operator }: OperatorSession, operation: string, reason: string): Recorded => ({
  actor: actorOf(operator._id),
  operation,
  reason,
  requestId,
  subjects: {},
  request: null,
});

/** @throws CodedError NOT_FOUND, OPERATOR_EXISTS, UNAUTHORIZED */
const unlessConflict = (conflict: Conflict | undefined): void => {
  if (conflict === undefined) return;
  if (conflict === 'mailbox') throw ANOTHER_ACCOUNT;
  // Two have made a passkey with one id at the same moment: its first owner keeps it.
  if (conflict === 'passkey') throw REFUSED();
  throw new CodedError('NOT_FOUND', { message: 'there is no such active operator, or the passkey is there already' });
};

/** Sign-in, enrolment, and the session of the one who has signed in. */
export const sessionEndpoints = (parts: Dependencies, oidcName: string | undefined): Endpoint[] => {
  const { operators, sessions, cookieName, passkeys, invitations, record, recordRefusal, runtime } = parts;

  const answerWith = ({ session, setCookie }: { session: OperatorSession; setCookie: string }): Answer => ({
    body: sessions.toContract(session),
    headers: { 'Set-Cookie': setCookie },
  });

  const begin = async (operator: Operator, passkeyId: string, { cookie }: Incoming): Promise<Answer> => {
    if (!(await operators.signedIn(operator._id, runtime.now()))) throw new CodedError('UNAUTHORIZED');
    return answerWith(await sessions.begin(operator, { passkeyId }, cookie(cookieName)));
  };

  /** Begins a session once the audit log says so. */
  const signIn = async (incoming: Incoming): Promise<Answer> => {
    const answer = parse(ceremonyAnswer, incoming.body);
    const attempt = { what: 'a passkey that was not accepted', subjects: { passkey_id: passkeyIdOf(answer.response) } };
    const { operator, passkeyId } = await recordRefusal(incoming, attempt, () => passkeys.answerTo('sign-in', answer));
    const { requestId } = incoming;
    const call = { operation: 'session.sign-in', reason: 'signed in with a passkey', requestId, subjects: {}, request: null };
    return record({ actor: actorOf(operator._id), ...call }, () => begin(operator, passkeyId, incoming));
  };

  const LINK = { what: 'a link that lets nobody in' };

  const ownerOf = async ({ operatorId, email }: StoredInvitation, name: string) => {
    const known = await operators.find(operatorId);
    return { id: operatorId, email, name: known?.name ?? name, passkeys: known?.passkeys ?? [] };
  };

  const enrol = async (incoming: Incoming): Promise<Answer> => {
    const { token, name, ...answer } = parse(enrolment, incoming.body);
    const invited = await recordRefusal(incoming, LINK, () => invitations.find(token));
    const { operatorId } = invited;
    const attempt = { what: 'a passkey for a link', subjects: { operator_id: operatorId } };
    const passkey = await recordRefusal(incoming, attempt, () => passkeys.answerNew('enrol', answer, operatorId));
    const call = { operation: 'operators.enrol', reason: 'enrolled by a link', requestId: incoming.requestId, request: null };
    // An operator gets neither roles nor a passkey of which the log does not know.
    return record({ actor: actorOf(operatorId), ...call, subjects: grantOf(invited) }, async () => {
      // Of two who use one link, one gets further.
      const { email, roles, invitedBy } = await invitations.take(token);
      const own = { _id: operatorId, email, name, roles, ...(invitedBy === undefined ? {} : { letInBy: [invitedBy] }) };
      const operator: Operator = { ...own, status: 'active', passkeys: [passkey], createdAt: runtime.now() };
      const taken = await operators.insert(operator);
      unlessConflict(taken === 'operator' ? await operators.addPasskey(operatorId, passkey, { roles, letInBy: invitedBy }) : taken);
      return begin((await operators.find(operatorId)) ?? operator, passkey.id, incoming);
    });
  };

  const addPasskey = async ({ requestId, body }: Incoming, session: OperatorSession): Promise<Answer> => {
    sessions.requireFresh(session);
    const { _id: id } = session.operator;
    const passkey = await passkeys.answerNew('add-passkey', parse(ceremonyAnswer, body), id);
    return record(ofSession(requestId, session, 'session.add-passkey', 'added a passkey'), async () => {
      unlessConflict(await operators.addPasskey(id, passkey));
      return answerWith(await sessions.confirmed(session, passkey.id));
    });
  };

  return [
    {
      method: 'GET',
      path: '/api/sign-in',
      access: 'public',
      handle: async () => ({
        body: { hasOperators: await operators.hasAny(), ...(oidcName === undefined ? {} : { oidc: { name: oidcName } }) },
      }),
    },
    {
      method: 'POST',
      path: '/api/sign-in/passkey/options',
      access: 'public',
      handle: async () => ({ body: await passkeys.askFor('sign-in') }),
    },
    {
      method: 'POST',
      path: '/api/sign-in/passkey',
      access: 'public',
      handle: signIn,
    },
    {
      method: 'POST',
      path: '/api/enrolment/options',
      access: 'public',
      handle: async (incoming) => {
        const { token } = parse(enrolmentStart, incoming.body);
        const invitation = await recordRefusal(incoming, LINK, () => invitations.find(token));
        const question = await passkeys.askNew('enrol', await ownerOf(invitation, invitation.email));
        const { email, roles, expiresAt } = invitation;
        return { body: { ...question, email, roles, expiresAt: expiresAt.toISOString() } };
      },
    },
    { method: 'POST', path: '/api/enrolment', access: 'public', handle: enrol },
    {
      method: 'GET',
      path: '/api/session',
      access: 'session',
      handle: async (_incoming, session) => ({ body: sessions.toContract(session) }),
    },
    {
      method: 'DELETE',
      path: '/api/session',
      access: 'session',
      handle: ({ requestId }, session) =>
        record(ofSession(requestId, session, 'session.sign-out', 'signed out'), async () => ({
          headers: { 'Set-Cookie': await sessions.end(session) },
        })),
    },
    {
      method: 'GET',
      path: '/api/session/sessions',
      access: 'session',
      handle: async (_incoming, session) => ({ body: { sessions: await sessions.listOwn(session) } }),
    },
    {
      method: 'POST',
      path: '/api/session/sessions/{sessionId}/end',
      access: 'session',
      handle: ({ requestId, params }, session) => {
        const { sessionId } = parse(withSessionId, params);
        const call = ofSession(requestId, session, 'session.end', 'ended a session of their own');
        return record({ ...call, subjects: { session_id: sessionId } }, async () => {
          await sessions.endOwn(session, sessionId);
          return { body: { actionId: runtime.newId(), status: 'ended' } };
        });
      },
    },
    {
      method: 'POST',
      path: '/api/session/passkeys/options',
      access: 'session',
      handle: async (_incoming, session) => {
        sessions.requireFresh(session);
        const { _id: id, ...owner } = session.operator;
        return { body: await passkeys.askNew('add-passkey', { id, ...owner }) };
      },
    },
    { method: 'POST', path: '/api/session/passkeys', access: 'session', handle: addPasskey },
    {
      method: 'POST',
      path: '/api/session/step-up/options',
      access: 'session',
      handle: async (_incoming, { operator }) => {
        if (operator.passkeys.length === 0) throw new CodedError('FORBIDDEN', { message: 'the operator has no passkey: add one first' });
        return { body: await passkeys.askFor('confirm', operator) };
      },
    },
    {
      method: 'POST',
      path: '/api/session/step-up',
      access: 'session',
      handle: async (incoming, session) => {
        const answer = parse(ceremonyAnswer, incoming.body);
        const { operator } = session;
        const subjects = { passkey_id: passkeyIdOf(answer.response) };
        const attempt = { actor: actorOf(operator._id), what: 'a confirmation by a passkey that was not accepted', subjects };
        const { passkeyId } = await recordRefusal(incoming, attempt, () => passkeys.answerTo('confirm', answer, operator));
        const call = ofSession(incoming.requestId, session, 'session.step-up', 'confirmed with a passkey');
        return record({ ...call, subjects }, async () => answerWith(await sessions.confirmed(session, passkeyId)));
      },
    },
  ];
};
