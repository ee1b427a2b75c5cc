import type { Client } from '@connectrpc/connect';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { createHealthCheck } from '@florin/rpc/health';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { CardService } from '@florin/proto/card/v1/card_service';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
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
import type { GatewayConfig } from '../config.ts';
import { openClient } from './own-name.ts';
import { createPublishedKeys, type PublishedKeys } from './published-keys.ts';

/** Everything behind the gateway. Calls reject with CodedError: UPSTREAM_TIMEOUT, SERVICE_UNAVAILABLE, or a code of the contract. */
export type Upstream = {
  auth: Client<typeof AuthService>;
  sessions: Client<typeof SessionService>;
  verification: Client<typeof VerificationService>;
  users: Client<typeof UserService>;
  terms: Client<typeof TermsService>;
  sourceOfFunds: Client<typeof SourceOfFundsService>;
  kyc: Client<typeof KycService>;
  onboarding: Client<typeof OnboardingService>;
  sandbox: Client<typeof SandboxService>;
  wallets: Client<typeof WalletService>;
  cards: Client<typeof CardService>;
  accounts: Client<typeof AccountService>;
  balances: Client<typeof BalanceService>;
  movements: Client<typeof MovementService>;
  statements: Client<typeof StatementService>;
  challenges: Client<typeof ChallengeService>;
  publishedKeys: () => Promise<PublishedKeys>;
  /** Names of what does not answer, of Redis and the four services. */
  down: () => Promise<string[]>;
};

/** What the gateway may ask for in its own name. Outside of a sandbox only sign-in and the KYC provider's events: all else carries the caller's token. */
const scopesOf = (sandbox: boolean) => ({
  identity: ['identity.signin', 'identity.kyc.write', ...(sandbox ? ['identity.outbox.read'] : [])],
  card: [],
  ledger: sandbox ? ['ledger.deposits.write', 'ledger.withdrawals.write'] : [],
  threeds: sandbox ? ['threeds.challenges.write'] : [],
});

const HEALTH_TIMEOUT_MS = 1000;

const checkHealth = (channel: RpcChannel) => {
  const health = channel.client(Health);
  return async () => {
    const { status } = await health.check({}, { timeoutMs: HEALTH_TIMEOUT_MS });
    if (status !== Status.SERVING) throw new Error('not serving');
  };
};

/** Opens one channel to each service. */
export const openUpstream = (
  config: GatewayConfig,
  options: { now: () => Date; pingRedis: () => Promise<unknown> },
): { upstream: Upstream; close: () => Promise<void> } => {
  const scopes = scopesOf(config.SANDBOX);
  const open = (audience: keyof typeof scopes, baseUrl: string) =>
    createRpcChannel({
      baseUrl,
      serviceToken: createServiceTokenSource({ key: config.SERVICE_KEY, audience, scopes: scopes[audience] }),
    });
  const identity = open('identity', config.IDENTITY_URL);
  const card = open('card', config.CARD_URL);
  const ledger = open('ledger', config.LEDGER_URL);
  const threeds = open('threeds', config.THREEDS_URL);
  const checks = {
    redis: options.pingRedis,
    identity: checkHealth(identity),
    card: checkHealth(card),
    ledger: checkHealth(ledger),
    threeds: checkHealth(threeds),
  };
  return {
    upstream: {
      auth: openClient(identity, AuthService),
      sessions: openClient(identity, SessionService),
      verification: openClient(identity, VerificationService),
      users: openClient(identity, UserService),
      terms: openClient(identity, TermsService),
      sourceOfFunds: openClient(identity, SourceOfFundsService),
      kyc: openClient(identity, KycService),
      onboarding: openClient(identity, OnboardingService),
      sandbox: openClient(identity, SandboxService),
      wallets: openClient(identity, WalletService),
      cards: openClient(card, CardService),
      accounts: openClient(ledger, AccountService),
      balances: openClient(ledger, BalanceService),
      movements: openClient(ledger, MovementService),
      statements: openClient(ledger, StatementService),
      challenges: openClient(threeds, ChallengeService),
      publishedKeys: createPublishedKeys(config.IDENTITY_URL, options.now),
      down: createHealthCheck(checks),
    },
    close: async () => {
      await Promise.all([identity, card, ledger, threeds].map((channel) => channel.close()));
    },
  };
};
