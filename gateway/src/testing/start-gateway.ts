import { testEnvironment } from '@florin/data/testing';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { App } from '@florin/rpc/process';
import { createTestAuthority, quietLogger, type TestAuthority } from '@florin/rpc/testing';
import type { JWTVerifyGetKey } from 'jose';
import { createApp, type GatewayOverrides } from '../app.ts';
import { configShape } from '../config.ts';
import { USER_ID, WALLET } from './fake-records.ts';
import { type FakeCall, type FakeServices, startFakeServices } from './fake-services.ts';

const SCOPES = [
  CARD_SCOPES.writePayments,
  CARD_SCOPES.writeDisputes,
  IDENTITY_SCOPES.signIn,
  IDENTITY_SCOPES.writeKyc,
  IDENTITY_SCOPES.readOutbox,
  IDENTITY_SCOPES.registerPartners,
  LEDGER_SCOPES.writeDeposits,
  LEDGER_SCOPES.resolveDeposits,
  LEDGER_SCOPES.readDeposits,
  LEDGER_SCOPES.writeWithdrawals,
  LEDGER_SCOPES.readWithdrawals,
  THREEDS_SCOPES.writeChallenges,
  THREEDS_SCOPES.watchChallenges,
];

export type Answer = { status: number; headers: Headers; body: unknown; text: string };
export type Ask = { token?: string | undefined; headers?: Record<string, string>; body?: unknown; rawBody?: string | Uint8Array };

export type TestGateway = {
  app: App;
  authority: TestAuthority;
  fakes: FakeServices;
  /** Sends an HTTP request; `target` is `METHOD /path`. */
  ask: (target: string, options?: Ask) => Promise<Answer>;
  /** Like `ask`, with the token of a user and with that of a wallet without a user. */
  asUser: (target: string, body?: unknown) => Promise<Answer>;
  asWallet: (target: string, body?: unknown) => Promise<Answer>;
  userToken: string;
  walletToken: string;
  /** A token that a server of the partner acme has signed. */
  partnerToken: string;
  /** The first call of an RPC that the fakes received. */
  callOf: (rpc: string) => FakeCall | undefined;
  /** Makes an RPC fail with a code until `fakes.reset`. */
  refuse: (rpc: string, code: ErrorCode, message?: string) => void;
  /** Starts another gateway on the same Redis and services. */
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

/** Starts a gateway on the real Redis with fake services. Responses are checked against the document unless `env` disables it. */
export const startTestGateway = async (
  options: { env?: Environment; overrides?: GatewayOverrides; userKeys?: JWTVerifyGetKey } = {},
): Promise<TestGateway> => {
  const authority = await createTestAuthority({ gateway: SCOPES, 'acme-server': PARTNER_SCOPES, 'acme-reader': PARTNER_SCOPES }, [], {
    'acme-server': 'acme',
    'acme-reader': 'acme',
  });
  const userKeys = options.userKeys ?? authority.userKeys;
  const fakes = await startFakeServices(authority, userKeys);
  const another = (env: Environment = {}, overrides: GatewayOverrides = {}) => {
    const environment = testEnvironment('gateway', authority, {
      IDENTITY_URL: fakes.urls.identity,
      CARD_URL: fakes.urls.card,
      LEDGER_URL: fakes.urls.ledger,
      THREEDS_URL: fakes.urls.threeds,
      VAULT_URL: fakes.urls.vault,
      CHAIN_URL: fakes.urls.chain,
      EVENTS_URL: fakes.urls.events,
      NOTIFICATIONS_URL: fakes.urls.notifications,
      RATE_LIMIT_PER_MINUTE: '1000000',
      AUTH_RATE_LIMIT_PER_MINUTE: '1000000',
      VALIDATE_ANSWERS: 'true',
      ...options.env,
      ...env,
    });
    return createApp(loadConfig(configShape, environment), { userKeys, logger: quietLogger, ...options.overrides, ...overrides });
  };
  const app = await another();
  const ask: TestGateway['ask'] = (target, request) => askAt(app.url, target, request);
  const userToken = await authority.userToken({ wallet: WALLET, userId: USER_ID });
  const walletToken = await authority.userToken({ wallet: WALLET });
  const partnerToken = await authority.serviceToken('acme-server', 'events', PARTNER_SCOPES);
  return {
    app,
    authority,
    fakes,
    another,
    ask,
    asUser: (target, body) => ask(target, { token: userToken, body }),
    asWallet: (target, body) => ask(target, { token: walletToken, body }),
    userToken,
    walletToken,
    partnerToken,
    callOf: (rpc) => fakes.calls.find((call) => call.rpc === rpc),
    refuse: (rpc, code, message) =>
      fakes.stub(rpc, () => {
        throw new CodedError(code, message === undefined ? {} : { message });
      }),
    close: async () => {
      await app.close();
      await fakes.close();
    },
  };
};
