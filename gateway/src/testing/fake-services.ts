import type { DescService } from '@bufbuild/protobuf';
import { JWKS_PATH } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { type Call, implement, type Listener, type Method, type Methods, type Policy, type ServiceImplementation, type StreamMethod } from '@florin/rpc/server';
import { startNeighbour, type TestAuthority } from '@florin/rpc/testing';
import { CardService } from '@florin/proto/card/v1/card_service';
import { AuthService } from '@florin/proto/identity/v1/auth_service';
import { KycService } from '@florin/proto/identity/v1/kyc_service';
import { OnboardingService } from '@florin/proto/identity/v1/onboarding_service';
import { SandboxService } from '@florin/proto/identity/v1/sandbox_service';
import { SessionService } from '@florin/proto/identity/v1/session_service';
import { SourceOfFundsService } from '@florin/proto/identity/v1/source_of_funds_service';
import { TermsService } from '@florin/proto/identity/v1/terms_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { WalletService } from '@florin/proto/identity/v1/wallet_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import type { JWTVerifyGetKey } from 'jose';
import { fakeAnswers } from './fake-answers.ts';

const service = (scope: string): Policy => ({ access: 'service', scope });

/** The policies of the contracts, as the real services declare them; a user token unless named here. */
const POLICIES: Readonly<Record<string, Policy>> = {
  createSiweMessage: service('identity.signin'),
  signIn: service('identity.signin'),
  refreshSession: service('identity.signin'),
  sendEmailCode: { access: 'wallet' },
  registerUser: { access: 'wallet' },
  listTerms: { access: 'public' },
  receiveEvent: service('identity.kyc.write'),
  endCurrentSession: { access: 'wallet' },
  listSessions: { access: 'wallet' },
  endSession: { access: 'wallet' },
  listOutboxMessages: service('identity.outbox.read'),
  recordDeposit: service('ledger.deposits.write'),
  resolveDeposit: service('ledger.deposits.write'),
  createWithdrawal: service('ledger.withdrawals.write'),
  updateWithdrawal: service('ledger.withdrawals.write'),
  createChallenge: service('threeds.challenges.write'),
  watchChallenge: service('threeds.challenges.read'),
};

const CONTRACTS = {
  identity: [
    AuthService,
    SessionService,
    UserService,
    WalletService,
    VerificationService,
    TermsService,
    SourceOfFundsService,
    KycService,
    OnboardingService,
    SandboxService,
  ],
  card: [CardService],
  ledger: [AccountService, BalanceService, MovementService, StatementService],
  threeds: [ChallengeService],
} as const;
export type ServiceName = keyof typeof CONTRACTS;

// biome-ignore lint/suspicious/noExplicitAny: tests read requests of every contract
export type FakeRequest = any;
export type FakeCall = Call<unknown> & { rpc: string; request: FakeRequest };
type Stub = (request: FakeRequest, call: Call<unknown>) => unknown;

export type FakeServices = {
  /** Every call that arrived, in order. */
  calls: FakeCall[];
  /** Replaces the answer of an RPC until `reset`. */
  stub: (rpc: string, answer: Stub) => void;
  reset: () => void;
  /** Whether identity's key set can be had. */
  keysAvailable: boolean;
  urls: Record<ServiceName, string>;
  stop: (name: ServiceName) => Promise<void>;
  close: () => Promise<void>;
};

/** The four services as small RPC servers: real transport, tokens and policies, canned answers. */
export const startFakeServices = async (authority: TestAuthority, userKeys: JWTVerifyGetKey): Promise<FakeServices> => {
  const stubs = new Map<string, Stub>();
  const calls: FakeCall[] = [];
  const servers = new Map<ServiceName, Listener>();

  const method = (rpc: string): Method<unknown, unknown> => ({
    policy: POLICIES[rpc] ?? { access: 'user' },
    invoke: (request, call) => {
      calls.push({ ...call, rpc, request });
      const stub = stubs.get(rpc) ?? fakeAnswers[rpc];
      if (stub === undefined) throw new CodedError('NOT_FOUND');
      return stub(request, call);
    },
  });
  /** A stub of a stream answers an iterable of messages. */
  const stream = (rpc: string): StreamMethod<unknown, unknown> => {
    const { policy, invoke } = method(rpc);
    return {
      policy,
      open: async function* (request, call) {
        yield* (await invoke(request, call)) as AsyncIterable<unknown>;
      },
    };
  };
  const fake = (contract: DescService): ServiceImplementation => {
    const methods = contract.methods.map(({ localName, methodKind }) => [
      localName,
      methodKind === 'unary' ? method(localName) : stream(localName),
    ]);
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
    urls: { identity: '', card: '', ledger: '', threeds: '' },
    stop: async (name) => servers.get(name)?.close(0),
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.close(0)));
    },
  };
  const publishedKeys = async () => {
    if (!fakes.keysAvailable) throw new Error('keys are away');
    const { keys } = (userKeys as unknown as { jwks: () => { keys: object[] } }).jwks();
    return { keys: keys.map((key) => ({ ...key, d: 'private parts must not get out' })) };
  };
  for (const name of Object.keys(CONTRACTS) as ServiceName[]) {
    const server = await startNeighbour({
      authority: { ...authority, userKeys },
      name,
      services: CONTRACTS[name].map(fake),
      ...(name === 'identity' ? { documents: { [JWKS_PATH]: publishedKeys } } : {}),
    });
    servers.set(name, server);
    fakes.urls[name] = server.url;
  }
  return fakes;
};
