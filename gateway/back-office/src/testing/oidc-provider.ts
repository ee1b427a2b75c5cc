import { createServer, type Server } from 'node:http';
import { testPort } from '@florin/rpc/testing';
import Provider from 'oidc-provider';

export type Account = { email: string; email_verified: boolean; name?: string; groups?: string[] };

export const CLIENT = { id: 'back-office', secret: 'a secret of the back office that is long enough' };

/**
 * Starts a real OpenID provider (oidc-provider) with its own pages for tests, at which anybody signs in by name.
 * @param accounts what it knows of people, by name
 */
export const startOidcProvider = async (redirectUri: string, accounts: Readonly<Record<string, Account>>) => {
  const issuer = `http://127.0.0.1:${await testPort()}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['a key of the cookies of this test'] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts[id] }) }),
  });
  const handle = provider.callback();
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(Number(new URL(issuer).port), '127.0.0.1', resolve));

  /** Goes through the provider's pages as a browser does. @returns where the provider sends the browser in the end */
  const signIn = async (url: string, name: string): Promise<URL> => {
    const cookies = new Map<string, string>();
    const go = async (target: string, form?: Record<string, string>): Promise<string> => {
      const response = await fetch(target, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(key, value);
      }
      await response.text();
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answered ${response.status}`);
      return new URL(location, issuer).href;
    };
    let at = await go(url);
    for (const form of [{ prompt: 'login', login: name, password: 'any' }, { prompt: 'consent' }]) {
      if (!at.startsWith(`${issuer}/interaction/`)) break;
      at = await go(at, form as Record<string, string>);
      if (at.startsWith(issuer)) at = await go(at);
    }
    return new URL(at);
  };

  return {
    issuer,
    signIn,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
