import type { Ceremony, Session } from '../contract/index.ts';
import { createAuthenticator } from './authenticator.ts';

export type Asked = { status: number; headers: Headers; body: Record<string, unknown> };
export type Ask = { body?: unknown; headers?: Readonly<Record<string, string>> };

/**
 * A browser on the pages of the back office: it keeps the session's cookie, and says where its requests come from.
 * @param url address of the process
 * @param origin of the pages
 */
export const createBrowser = (url: string, origin: string) => {
  const cookies = new Map<string, string>();
  const authenticator = createAuthenticator({ origin });

  const ask = async (target: string, { body, headers = {} }: Ask = {}): Promise<Asked> => {
    const [method = 'GET', path = '/'] = target.split(' ');
    const isPost = method !== 'GET';
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(isPost ? { origin, 'content-type': 'application/json' } : {}),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
      ...(isPost ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      if (cookie.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
  };

  /** Asks for a question to the passkey, has it answered, and sends the answer. */
  const answer = async (path: string, kind: 'create' | 'get', more: object = {}): Promise<Asked> => {
    const asked = await ask(`POST ${path}/options`, { body: more });
    if (asked.status !== 200) return asked;
    const { ceremonyId, options } = asked.body as unknown as Ceremony;
    const named = kind === 'create' && path === '/api/enrolment' ? { name: 'Olga Operator' } : {};
    return ask(`POST ${path}`, { body: { ...more, ...named, ceremonyId, response: authenticator[kind]({ options }) } });
  };

  return {
    ask,
    cookies,
    authenticator,
    /** Follows the link of an invitation. */
    enrol: (link: string): Promise<Asked> => answer('/api/enrolment', 'create', { token: new URL(link).hash.slice(1) }),
    signIn: (): Promise<Asked> => answer('/api/sign-in/passkey', 'get'),
    confirm: (): Promise<Asked> => answer('/api/session/step-up', 'get'),
    addPasskey: (): Promise<Asked> => answer('/api/session/passkeys', 'create'),
    /** The session, as the process sees it. */
    session: async (): Promise<Session> => (await ask('GET /api/session')).body as unknown as Session,
  };
};

export type Browser = ReturnType<typeof createBrowser>;
