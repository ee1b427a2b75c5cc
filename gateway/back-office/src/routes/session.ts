import { CodedError } from '@florin/rpc/errors';
import { actorOf } from '../audit/recorder.ts';
import { ceremonyAnswer, enrolment, enrolmentStart } from '../contract/index.ts';
import { type Answer, type Endpoint, type Incoming, parse } from '../http/endpoint.ts';
import { ANOTHER_ACCOUNT, grantOf } from '../operators/invitations.ts';
import { REFUSED } from '../operators/passkeys.ts';
import type { OperatorSession } from '../operators/sessions.ts';
import type { StoredInvitation } from '../store/once.ts';
import type { Conflict, Operator } from '../store/operators.ts';
import type { Dependencies } from './dependencies.ts';

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
  const { operators, sessions, passkeys, invitations, record, runtime } = parts;

  const begin = async (operator: Operator, passkeyId: string): Promise<Answer> => {
    if (!(await operators.signedIn(operator._id, runtime.now()))) throw new CodedError('UNAUTHORIZED');
    const { session, setCookie } = await sessions.begin(operator, passkeyId);
    return { body: sessions.toContract(session), headers: { 'Set-Cookie': setCookie } };
  };

  /** Begins a session once the audit log says so. */
  const signIn = ({ operator, passkeyId }: { operator: Operator; passkeyId: string }, { requestId }: Incoming): Promise<Answer> => {
    const call = { operation: 'session.sign-in', reason: 'signed in with a passkey', requestId, subjects: {}, request: null };
    return record({ actor: actorOf(operator._id), ...call }, () => begin(operator, passkeyId));
  };

  const ownerOf = async ({ operatorId, email }: StoredInvitation, name: string) => {
    const known = await operators.find(operatorId);
    return { id: operatorId, email, name: known?.name ?? name, passkeys: known?.passkeys ?? [] };
  };

  const enrol = async (incoming: Incoming): Promise<Answer> => {
    const { token, name, ...answer } = parse(enrolment, incoming.body);
    const invited = await invitations.find(token);
    const { operatorId } = invited;
    const passkey = await passkeys.answerNew('enrol', answer, operatorId);
    const call = { operation: 'operators.enrol', reason: 'enrolled by a link', requestId: incoming.requestId, request: null };
    // An operator gets neither roles nor a passkey of which the log does not know.
    return record({ actor: actorOf(operatorId), ...call, subjects: grantOf(invited) }, async () => {
      // Of two who use one link, one gets further.
      const { email, roles, invitedBy } = await invitations.take(token);
      const own = { _id: operatorId, email, name, roles, ...(invitedBy === undefined ? {} : { letInBy: [invitedBy] }) };
      const operator: Operator = { ...own, status: 'active', passkeys: [passkey], createdAt: runtime.now() };
      const taken = await operators.insert(operator);
      unlessConflict(taken === 'operator' ? await operators.addPasskey(operatorId, passkey, { roles, letInBy: invitedBy }) : taken);
      return begin((await operators.find(operatorId)) ?? operator, passkey.id);
    });
  };

  const answerWith = (session: OperatorSession): Answer => ({ body: sessions.toContract(session) });

  const addPasskey = async ({ requestId, body }: Incoming, session: OperatorSession): Promise<Answer> => {
    sessions.requireFresh(session);
    const { _id: id } = session.operator;
    const passkey = await passkeys.answerNew('add-passkey', parse(ceremonyAnswer, body), id);
    const call = {
      actor: actorOf(id),
      operation: 'session.add-passkey',
      reason: 'added a passkey',
      requestId,
      subjects: {},
      request: null,
    };
    return record(call, async () => {
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
      handle: async (incoming) => signIn(await passkeys.answerTo('sign-in', parse(ceremonyAnswer, incoming.body)), incoming),
    },
    {
      method: 'POST',
      path: '/api/enrolment/options',
      access: 'public',
      handle: async ({ body }) => {
        const invitation = await invitations.find(parse(enrolmentStart, body).token);
        const question = await passkeys.askNew('enrol', await ownerOf(invitation, invitation.email));
        const { email, roles, expiresAt } = invitation;
        return { body: { ...question, email, roles, expiresAt: expiresAt.toISOString() } };
      },
    },
    { method: 'POST', path: '/api/enrolment', access: 'public', handle: enrol },
    { method: 'GET', path: '/api/session', access: 'session', handle: async (_incoming, session) => answerWith(session) },
    {
      method: 'DELETE',
      path: '/api/session',
      access: 'session',
      handle: async (_incoming, session) => ({ headers: { 'Set-Cookie': await sessions.end(session) } }),
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
      handle: async ({ body }, session) => {
        const { passkeyId } = await passkeys.answerTo('confirm', parse(ceremonyAnswer, body), session.operator);
        return answerWith(await sessions.confirmed(session, passkeyId));
      },
    },
  ];
};
