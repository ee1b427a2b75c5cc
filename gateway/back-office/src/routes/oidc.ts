import { CodedError, toCodedError } from '@florin/rpc/errors';
import { actorOf } from '../audit/recorder.ts';
import type { CookieKind } from '../http/cookies.ts';
import type { Answer, Endpoint, Incoming } from '../http/endpoint.ts';
import { grantOf } from '../operators/invitations.ts';
import { CALLBACK_PATH, type Oidc, type OidcFlow } from '../operators/oidc.ts';
import { keepOidcOperator, recognizeOidcOperator } from '../operators/oidc-operator.ts';
import { newSecret } from '../operators/secrets.ts';
import type { StoredCeremony } from '../store/once.ts';
import type { Dependencies } from './dependencies.ts';

/** How long a person may take at the provider, in seconds. */
const FLOW_SECONDS = 600;

/** The browser's part of a sign-in: its state, and the id of what an operator has begun, to be linked to the person who signs in. */
type Kept = { flow: OidcFlow; linkId: string | undefined };

const textOf = ({ flow: { state, nonce, verifier }, linkId }: Kept): string =>
  [state, nonce, verifier, ...(linkId === undefined ? [] : [linkId])].join('.');

const keptIn = (text: string | undefined): Kept => {
  const [state, nonce, verifier, linkId, ...more] = text?.split('.') ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined || more.length > 0) {
    throw new CodedError('UNAUTHORIZED', { message: 'the sign-in was not begun in this browser, or too long ago' });
  }
  return { flow: { state, nonce, verifier }, linkId };
};

const toPage = (place: string, cookies: readonly string[]): Answer => ({
  status: 303,
  headers: { Location: `/${place}`, 'Set-Cookie': cookies },
});

/**
 * Sign-in at the OpenID provider. The state of a sign-in lies in a cookie of its own, which browsers send with the provider's redirect (SameSite=Lax); the session's cookie is
 * Strict. An operator is linked to a person at the provider in a session that was confirmed by passkey, and only then recognized by that person's sign-in.
 */
export const oidcEndpoints = (parts: Dependencies, { oidc, cookie }: { oidc: Oidc; cookie: CookieKind }): Endpoint[] => {
  const { operators, once, sessions, sessionStore, cookieName, record, recordRefusal, runtime } = parts;
  const forget = cookie.set('', 0);

  const finish = (incoming: Incoming, flow: OidcFlow) =>
    recordRefusal(incoming, { what: 'a sign-in that the OpenID provider does not confirm' }, () => oidc.finish(incoming.query, flow));

  const signIn = async (incoming: Incoming, flow: OidcFlow): Promise<Answer> => {
    const identity = await finish(incoming, flow);
    const attempt = { what: 'a person whom the OpenID provider knows', subjects: { provider_person: identity.subject } };
    const recognized = await recordRefusal(incoming, attempt, () => recognizeOidcOperator(identity, parts));
    const { operator, roles, isNew } = recognized;
    const reason = isNew ? 'signed in at the OpenID provider for the first time' : 'signed in at the OpenID provider';
    const call = { actor: actorOf(operator._id), operation: 'session.sign-in', reason, requestId: incoming.requestId };
    const given = roles === undefined ? {} : grantOf({ operatorId: operator._id, roles });
    return record({ ...call, subjects: { ...given, ...attempt.subjects }, request: null }, async () => {
      await keepOidcOperator(recognized, parts);
      const { setCookie } = await sessions.begin(operator, { provider: identity.subject }, incoming.cookie(cookieName));
      return toPage('', [forget, setCookie]);
    });
  };

  /** The link that an operator has begun, whose session still lives. @throws CodedError UNAUTHORIZED */
  const takeLink = async (linkId: string, { state }: OidcFlow): Promise<StoredCeremony & { operatorId: string }> => {
    const link = await once.takeCeremony(linkId, 'link-provider', runtime.now());
    const session = link?.sessionId === undefined ? null : await sessionStore.find(link.sessionId);
    const { operatorId } = link ?? {};
    if (link?.challenge !== state || operatorId === undefined || session === null || session.expiresAt <= runtime.now()) {
      throw new CodedError('UNAUTHORIZED', { message: 'the link was not begun in a session that still lives' });
    }
    return { ...link, operatorId };
  };

  const link = async (incoming: Incoming, flow: OidcFlow, linkId: string): Promise<Answer> => {
    const attempt = { what: 'a link to a person at the OpenID provider' };
    const { operatorId } = await recordRefusal(incoming, attempt, () => takeLink(linkId, flow));
    const { subject } = await finish(incoming, flow);
    const subjects = { operator_id: operatorId, provider_person: subject };
    const call = { actor: actorOf(operatorId), operation: 'session.link-provider', reason: 'linked to a person at the OpenID provider' };
    return record({ ...call, requestId: incoming.requestId, subjects, request: null }, async () => {
      if (!(await operators.linkProvider(operatorId, subject))) {
        throw new CodedError('FORBIDDEN', { message: 'the operator, or the person at the provider, is linked to another one' });
      }
      return toPage('passkeys', [forget]);
    });
  };

  /** The browser is on its way: a failure is told by the page. */
  const orPage = async (incoming: Incoming, work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (thrown) {
      const error = toCodedError(thrown);
      incoming.logger.info({ error: error.code, err: error }, 'a sign-in at the OpenID provider failed');
      return toPage(`?error=${error.code}&request=${encodeURIComponent(incoming.requestId)}`, [forget]);
    }
  };

  return [
    {
      method: 'GET',
      path: '/sign-in/oidc',
      access: 'public',
      handle: (incoming) =>
        orPage(incoming, async () => {
          const { url, flow } = await oidc.begin();
          const kept = cookie.set(textOf({ flow, linkId: undefined }), FLOW_SECONDS);
          return { status: 303, headers: { Location: url, 'Set-Cookie': kept } };
        }),
    },
    {
      method: 'POST',
      path: '/api/session/provider',
      access: 'session',
      handle: async (_incoming, session) => {
        sessions.requireConfirmed(session);
        const { url, flow } = await oidc.begin();
        const linkId = newSecret(runtime);
        const expiresAt = new Date(runtime.now().getTime() + FLOW_SECONDS * 1000);
        const [operatorId, sessionId] = [session.operator._id, session.stored._id];
        await once.addCeremony({ _id: linkId, purpose: 'link-provider', challenge: flow.state, operatorId, sessionId, expiresAt });
        return { body: { url }, headers: { 'Set-Cookie': cookie.set(textOf({ flow, linkId }), FLOW_SECONDS) } };
      },
    },
    {
      method: 'GET',
      path: CALLBACK_PATH,
      access: 'public',
      handle: (incoming) =>
        orPage(incoming, async () => {
          const { flow, linkId } = keptIn(incoming.cookie(cookie.name));
          return linkId === undefined ? signIn(incoming, flow) : link(incoming, flow, linkId);
        }),
    },
  ];
};
