import { type Environment, loadConfig } from '@florin/rpc/config';
import type { App } from '@florin/rpc/process';
import { createTestAuthority, quietLogger, type TestAuthority } from '@florin/rpc/testing';
import { testEnvironment } from '@florin/data/testing';
import type { JWTVerifyGetKey } from 'jose';
import { createApp, type GatewayOverrides } from '../app.ts';
import { configShape } from '../config.ts';
import { USER_ID, WALLET } from './fake-answers.ts';
import { type FakeServices, startFakeServices } from './fake-services.ts';

const SCOPES = [
  'identity.signin',
  'identity.kyc.write',
  'identity.outbox.read',
  'ledger.deposits.write',
  'ledger.withdrawals.write',
  'threeds.challenges.write',
];

export type Answer = { status: number; headers: Headers; body: unknown; text: string };
export type Ask = { token?: string | undefined; headers?: Record<string, string>; body?: unknown; rawBody?: string | Uint8Array };

export type TestGateway = {
  app: App;
  authority: TestAuthority;
  fakes: FakeServices;
  /** Asks over HTTP; `target` is `METHOD /path`. */
  ask: (target: string, options?: Ask) => Promise<Answer>;
  userToken: string;
  walletToken: string;
  /** Another gateway process on the same Redis and services. */
  another: (env?: Environment, overrides?: GatewayOverrides) => Promise<App>;
  close: () => Promise<void>;
};

export const askAt = async (url: string, target: string, { token, headers = {}, body, rawBody }: Ask = {}): Promise<Answer> => {
  const [method = 'GET', path = '/'] = target.split(' ');
  const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content as string }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text };
};

/** A gateway on the real Redis with fake services behind it. Answers are checked against the document unless `env` says otherwise. */
export const startTestGateway = async (
  options: { env?: Environment; overrides?: GatewayOverrides; userKeys?: JWTVerifyGetKey } = {},
): Promise<TestGateway> => {
  const authority = await createTestAuthority({ gateway: SCOPES });
  const userKeys = options.userKeys ?? authority.userKeys;
  const fakes = await startFakeServices(authority, userKeys);
  const another = (env: Environment = {}, overrides: GatewayOverrides = {}) => {
    const environment = testEnvironment('gateway', authority, {
      IDENTITY_URL: fakes.urls.identity,
      CARD_URL: fakes.urls.card,
      LEDGER_URL: fakes.urls.ledger,
      THREEDS_URL: fakes.urls.threeds,
      RATE_LIMIT_PER_MINUTE: '1000000',
      AUTH_RATE_LIMIT_PER_MINUTE: '1000000',
      VALIDATE_ANSWERS: 'true',
      ...options.env,
      ...env,
    });
    return createApp(loadConfig(configShape, environment), { userKeys, logger: quietLogger, ...options.overrides, ...overrides });
  };
  const app = await another();
  return {
    app,
    authority,
    fakes,
    another,
    ask: (target, ask) => askAt(app.url, target, ask),
    userToken: await authority.userToken({ wallet: WALLET, userId: USER_ID }),
    walletToken: await authority.userToken({ wallet: WALLET }),
    close: async () => {
      await app.close();
      await fakes.close();
    },
  };
};
