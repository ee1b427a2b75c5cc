import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { JWKS_PATH } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import {
  type Call,
  implement,
  type Listener,
  type Method,
  type Methods,
  type ServiceImplementation,
  type StreamMethod,
} from '@florin/rpc/server';
import { admittedBy, startNeighbour, type TestAuthority } from '@florin/rpc/testing';
import type { JWTVerifyGetKey } from 'jose';
import { CONTRACTS } from '../clients/contracts.ts';
import { fakeAnswers } from './fake-answers.ts';
import { fakeEvents } from './fake-events.ts';
import { createFakeFeed, type FakeFeed } from './fake-feed.ts';
import { fakeNotifications } from './fake-notifications.ts';
import { fakePartnerKeys } from './fake-partner-keys.ts';
import { USER_ID } from './fake-records.ts';
import { fakeWebhooks } from './fake-webhooks.ts';

export type ServiceName = keyof typeof CONTRACTS;

// biome-ignore lint/suspicious/noExplicitAny: tests read requests of all contracts
export type FakeRequest = any;
export type FakeCall = Call<unknown> & { rpc: string; request: FakeRequest };
type Stub = (request: FakeRequest, call: Call<unknown>) => unknown;

export type FakeServices = {
  /** The received calls, in order. */
  calls: FakeCall[];
  /** Replaces the response of an RPC until `reset`. */
  stub: (rpc: string, answer: Stub) => void;
  reset: () => void;
  /** True if identity serves its key set. */
  keysAvailable: boolean;
  /** The stream of challenges that gateways follow. */
  feed: FakeFeed;
  urls: Record<ServiceName, string>;
  stop: (name: ServiceName) => Promise<void>;
  close: () => Promise<void>;
};

/** Starts the services as small RPC servers with real transport, tokens and policies, and canned responses. */
export const startFakeServices = async (authority: TestAuthority, userKeys: JWTVerifyGetKey): Promise<FakeServices> => {
  const stubs = new Map<string, Stub>();
  const feed = createFakeFeed();
  const answers: Readonly<Record<string, Stub>> = {
    ...fakeAnswers,
    ...fakeEvents,
    ...fakeWebhooks,
    ...fakeNotifications,
    ...fakePartnerKeys,
    watchAllChallenges: feed.open,
  };
  const calls: FakeCall[] = [];
  const servers = new Map<ServiceName, Listener>();

  const method = (desc: DescMethod): Method<unknown, unknown> => ({
    ...admittedBy(desc),
    invoke: (request, call) => {
      const rpc = desc.localName;
      calls.push({ ...call, rpc, request });
      const stub = stubs.get(rpc) ?? answers[rpc];
      if (stub === undefined) throw new CodedError('NOT_FOUND');
      return stub(request, call);
    },
  });
  /** The stub of a stream returns an iterable of messages. */
  const stream = (desc: DescMethod): StreamMethod<unknown, unknown> => {
    const { invoke, ...admitted } = method(desc);
    return {
      ...admitted,
      open: async function* (request, call) {
        yield* (await invoke(request, call)) as AsyncIterable<unknown>;
      },
    };
  };
  const fake = (contract: DescService): ServiceImplementation => {
    const methods = contract.methods.map((desc) => [desc.localName, desc.methodKind === 'unary' ? method(desc) : stream(desc)]);
    return implement(contract, Object.fromEntries(methods) as Methods<DescService>);
  };

  const fakes: FakeServices = {
    calls,
    stub: (rpc, answer) => stubs.set(rpc, answer),
    reset: () => {
      stubs.clear();
      calls.length = 0;
    },
    keysAvailable: true,
    feed,
    urls: { identity: '', card: '', ledger: '', threeds: '', vault: '', chain: '', events: '', notifications: '' },
    stop: async (name) => servers.get(name)?.close(0),
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.close(0)));
    },
  };
  const publishedKeys = async () => {
    if (!fakes.keysAvailable) throw new Error('the key set is unavailable');
    const { keys } = (userKeys as unknown as { jwks: () => { keys: object[] } }).jwks();
    return { keys: keys.map((key) => ({ ...key, d: 'private parts must not be published' })) };
  };
  for (const name of Object.keys(CONTRACTS) as ServiceName[]) {
    const server = await startNeighbour({
      authority: { ...authority, userKeys },
      name,
      services: [...Object.values(CONTRACTS[name]), PersonalDataService, AuditService].map(fake),
      belongsToPartner: async (userId) => userId === USER_ID,
      ...(name === 'identity' ? { documents: { [JWKS_PATH]: publishedKeys } } : {}),
    });
    servers.set(name, server);
    fakes.urls[name] = server.url;
  }
  return fakes;
};
