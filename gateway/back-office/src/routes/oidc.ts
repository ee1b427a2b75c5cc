import { CodedError, toCodedError } from '@florin/rpc/errors';
import { actorOf } from '../audit/recorder.ts';
import type { CookieKind } from '../http/cookies.ts';
import type { Answer, Endpoint, Incoming } from '../http/endpoint.ts';
import { grantOf } from '../operators/invitations.ts';
import { CALLBACK_PATH, type Oidc, type OidcFlow } from '../operators/oidc.ts';
import { keepOidcOperator, recognizeOidcOperator } from '../operators/oidc-operator.ts';
import type { Dependencies } from './dependencies.ts';

/** How long a person may take at the provider, in seconds. */
const FLOW_SECONDS = 600;

const flowOf = (text: string | undefined): OidcFlow => {
  const [state, nonce, verifier, ...more] = text?.split('.') ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined || more.length > 0) {
    throw new CodedError('UNAUTHORIZED', { message: 'the sign-in was not begun in this browser, or too long ago' });
  }
  return { state, nonce, verifier };
};

const toPage = (query: string, cookies: readonly string[]): Answer => ({
  status: 303,
  headers: { Location: `/${query}`, 'Set-Cookie': cookies },
});

/**
 * Sign-in at the OpenID provider. What the browser keeps meanwhile lies in a cookie of its own, which browsers send with the provider's redirect (SameSite=Lax); that of the
 * session is Strict.
 */
export const oidcEndpoints = (parts: Dependencies, { oidc, cookie }: { oidc: Oidc; cookie: CookieKind }): Endpoint[] => {
  const { sessions, record } = parts;
  const forget = cookie.set('', 0);

  const signIn = async ({ cookie: read, query, requestId }: Incoming): Promise<Answer> => {
    const recognized = await recognizeOidcOperator(await oidc.finish(query, flowOf(read(cookie.name))), parts);
    const { operator, roles } = recognized;
    const call = { actor: actorOf(operator._id), operation: 'session.sign-in', reason: 'signed in at the OpenID provider', requestId };
    const subjects = roles === undefined ? {} : grantOf({ operatorId: operator._id, roles });
    return record({ ...call, subjects, request: null }, async () => {
      await keepOidcOperator(recognized, parts);
      const { setCookie } = await sessions.begin(operator);
      return toPage('', [forget, setCookie]);
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
          const kept = cookie.set([flow.state, flow.nonce, flow.verifier].join('.'), FLOW_SECONDS);
          return { status: 303, headers: { Location: url, 'Set-Cookie': kept } };
        }),
    },
    { method: 'GET', path: CALLBACK_PATH, access: 'public', handle: (incoming) => orPage(incoming, () => signIn(incoming)) },
  ];
};
