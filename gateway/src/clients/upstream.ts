import type { Client } from '@connectrpc/connect';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { CardService } from '@florin/proto/card/v1/card_service';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { SandboxService as CardSandboxService } from '@florin/proto/card/v1/sandbox_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { ArrivingService } from '@florin/proto/chain/v1/arriving_service';
import { RecoveryService } from '@florin/proto/chain/v1/recovery_service';
import { ReservesService } from '@florin/proto/chain/v1/reserves_service';
import { SafeService } from '@florin/proto/chain/v1/safe_service';
import { WithdrawalService } from '@florin/proto/chain/v1/withdrawal_service';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { AuthService } from '@florin/proto/identity/v1/auth_service';
import { ErasureService } from '@florin/proto/identity/v1/erasure_service';
import { KycService } from '@florin/proto/identity/v1/kyc_service';
import { OnboardingService } from '@florin/proto/identity/v1/onboarding_service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { SandboxService } from '@florin/proto/identity/v1/sandbox_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { SessionService } from '@florin/proto/identity/v1/session_service';
import { SourceOfFundsService } from '@florin/proto/identity/v1/source_of_funds_service';
import { TermsService } from '@florin/proto/identity/v1/terms_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { WalletService } from '@florin/proto/identity/v1/wallet_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { NotificationService } from '@florin/proto/notifications/v1/notification_service';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { SandboxService as ThreedsSandboxService } from '@florin/proto/threeds/v1/sandbox_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CardDataService } from '@florin/proto/vault/v1/card_data_service';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { createHealthCheck } from '@florin/rpc/health';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { PlatformFetch, Tls } from '@florin/rpc/tls';
import type { Tracing } from '@florin/rpc/tracing';
import type { GatewayConfig } from '../config.ts';
import { type ChallengeFeed, openChallengeFeed } from '../streaming/challenge-feed.ts';
import type { FeedGrowth } from '../streaming/feed-growth.ts';
import { createFaucet, type Faucet } from './faucet.ts';
import { createPublishedKeys, type PublishedKeys } from './published-keys.ts';

/** The services behind the gateway. Calls reject with CodedError: UPSTREAM_TIMEOUT, SERVICE_UNAVAILABLE or a code of the contract. */
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
  /** The keys of partners' servers. */
  partnerClients: Client<typeof PartnerClientService>;
  wallets: Client<typeof WalletService>;
  cards: Client<typeof CardService>;
  cardPayments: Client<typeof PaymentService>;
  cardNetwork: Client<typeof ProcessorService>;
  cardSandbox: Client<typeof CardSandboxService>;
  threedsSandbox: Client<typeof ThreedsSandboxService>;
  accounts: Client<typeof AccountService>;
  balances: Client<typeof BalanceService>;
  movements: Client<typeof MovementService>;
  statements: Client<typeof StatementService>;
  /** Statements for tables, which take many calls: over connections of their own, so that other calls do not wait behind them. */
  tables: Pick<Client<typeof StatementService>, 'listStatement'>;
  journal: Client<typeof JournalService>;
  challenges: Client<typeof ChallengeService>;
  erasure: Client<typeof ErasureService>;
  personalData: Readonly<Record<'identity' | 'card' | 'ledger' | 'threeds' | 'vault', Client<typeof PersonalDataService>>> & {
    notifications: Client<typeof PersonalDataService> | undefined;
  };
  /** The audit logs of all services that are configured. */
  audit: readonly Client<typeof AuditService>[];
  /** Undefined where no chain service is configured. */
  safes: Client<typeof SafeService> | undefined;
  recoveries: Client<typeof RecoveryService> | undefined;
  arriving: Client<typeof ArrivingService> | undefined;
  reserves: Client<typeof ReservesService> | undefined;
  /** Undefined where no chain service is configured. */
  safeWithdrawals: Client<typeof WithdrawalService> | undefined;
  /** The feeds of partners. Undefined where no events service is configured. */
  events: Client<typeof FeedService> | undefined;
  /** Webhook endpoints of partners. Undefined where no events service is configured. */
  webhooks: Client<typeof WebhookEndpointService> | undefined;
  /** Undefined where no notifications service is configured. */
  notifications: Client<typeof NotificationService> | undefined;
  /** Pays the deposits of a sandbox that has a chain of its own. */
  faucet: Faucet | undefined;
  /** Tells when users have new events. Undefined where no events service is configured. */
  feedGrowth: FeedGrowth | undefined;
  /** The changes of all users' challenges. */
  challengeFeed: ChallengeFeed;
  cardData: Client<typeof CardDataService>;
  publishedKeys: () => Promise<PublishedKeys>;
  /** Names of the dependencies that fail their health check, out of Redis and the services. */
  down: () => Promise<string[]>;
  /**
   * The names of all dependencies when none of them is healthy, otherwise none. A gateway is of use while one service is down, and taking all
   * gateways out of service at once would make one service's failure everyone's.
   */
  missing: () => Promise<string[]>;
};

const SANDBOX_LEDGER = [
  LEDGER_SCOPES.writeDeposits,
  LEDGER_SCOPES.resolveDeposits,
  LEDGER_SCOPES.readDeposits,
  LEDGER_SCOPES.writeWithdrawals,
  LEDGER_SCOPES.readWithdrawals,
];

/**
 * Scopes of the gateway's own tokens. Outside a sandbox they cover sign-in, KYC events, the first keys of partners and the changes of challenges; all other calls
 * carry the caller's token.
 */
const scopesOf = (sandbox: boolean) => ({
  identity: [
    IDENTITY_SCOPES.signIn,
    IDENTITY_SCOPES.writeKyc,
    IDENTITY_SCOPES.registerPartners,
    ...(sandbox ? [IDENTITY_SCOPES.readOutbox] : []),
  ],
  card: sandbox ? [CARD_SCOPES.writePayments, CARD_SCOPES.writeDisputes] : [],
  ledger: sandbox ? SANDBOX_LEDGER : [],
  threeds: [THREEDS_SCOPES.watchChallenges, ...(sandbox ? [THREEDS_SCOPES.writeChallenges] : [])],
  vault: [],
  chain: [],
  events: [],
  notifications: [],
});

const HEALTH_TIMEOUT_MS = 1000;

/** Calls for tables that run at the same time. */
const TABLE_CONNECTIONS = 4;

const checkHealth = (channel: RpcChannel) => {
  const health = channel.client(Health);
  return async () => {
    const { status } = await health.check({}, { timeoutMs: HEALTH_TIMEOUT_MS });
    if (status !== Status.SERVING) throw new Error('the service reports that it is not serving');
  };
};

/** Opens one channel to each service. */
export const openUpstream = (
  config: GatewayConfig,
  options: {
    runtime: Pick<Runtime, 'now' | 'patience'>;
    pingRedis: () => Promise<unknown>;
    feedGrowth: FeedGrowth | undefined;
    tls: Tls | undefined;
    tracing: Tracing | undefined;
    platformFetch: PlatformFetch;
    logger: Logger;
  },
): { upstream: Upstream; close: () => Promise<void> } => {
  const scopes = scopesOf(config.SANDBOX);
  const open = (audience: keyof typeof scopes, baseUrl: string, connections?: number) =>
    createRpcChannel({
      baseUrl,
      ...(connections === undefined ? {} : { connections }),
      tls: options.tls,
      tracing: options.tracing,
      patience: options.runtime.patience,
      serviceToken: createServiceTokenSource({ key: config.SERVICE_KEY, audience, scopes: scopes[audience] }),
    });
  const identity = open('identity', config.IDENTITY_URL);
  const card = open('card', config.CARD_URL);
  const ledger = open('ledger', config.LEDGER_URL);
  const threeds = open('threeds', config.THREEDS_URL);
  const challenges = threeds.client(ChallengeService);
  const challengeFeed = openChallengeFeed({ client: challenges, logger: options.logger, now: options.runtime.now });
  const vault = open('vault', config.VAULT_URL);
  const chain = config.CHAIN_URL === undefined ? undefined : open('chain', config.CHAIN_URL);
  const events = config.EVENTS_URL === undefined ? undefined : open('events', config.EVENTS_URL);
  const notifications = config.NOTIFICATIONS_URL === undefined ? undefined : open('notifications', config.NOTIFICATIONS_URL);
  const tables = open('ledger', config.LEDGER_URL, TABLE_CONNECTIONS);
  const checks = {
    redis: options.pingRedis,
    identity: checkHealth(identity),
    card: checkHealth(card),
    ledger: checkHealth(ledger),
    threeds: checkHealth(threeds),
    vault: checkHealth(vault),
  };
  const down = createHealthCheck(checks);
  return {
    upstream: {
      auth: identity.client(AuthService),
      sessions: identity.client(SessionService),
      verification: identity.client(VerificationService),
      users: identity.client(UserService),
      terms: identity.client(TermsService),
      sourceOfFunds: identity.client(SourceOfFundsService),
      kyc: identity.client(KycService),
      onboarding: identity.client(OnboardingService),
      sandbox: identity.client(SandboxService),
      partnerClients: identity.client(PartnerClientService),
      wallets: identity.client(WalletService),
      cards: card.client(CardService),
      cardPayments: card.client(PaymentService),
      cardNetwork: card.client(ProcessorService),
      cardSandbox: card.client(CardSandboxService),
      threedsSandbox: threeds.client(ThreedsSandboxService),
      accounts: ledger.client(AccountService),
      balances: ledger.client(BalanceService),
      movements: ledger.client(MovementService),
      statements: ledger.client(StatementService),
      tables: tables.client(StatementService),
      journal: ledger.client(JournalService),
      erasure: identity.client(ErasureService),
      personalData: {
        identity: identity.client(PersonalDataService),
        card: card.client(PersonalDataService),
        ledger: ledger.client(PersonalDataService),
        threeds: threeds.client(PersonalDataService),
        vault: vault.client(PersonalDataService),
        notifications: notifications?.client(PersonalDataService),
      },
      audit: [identity, card, ledger, threeds, vault, chain, events, notifications].flatMap(
        (channel) => channel?.client(AuditService) ?? [],
      ),
      safes: chain?.client(SafeService),
      recoveries: chain?.client(RecoveryService),
      arriving: chain?.client(ArrivingService),
      reserves: chain?.client(ReservesService),
      safeWithdrawals: chain?.client(WithdrawalService),
      events: events?.client(FeedService),
      webhooks: events?.client(WebhookEndpointService),
      notifications: notifications?.client(NotificationService),
      challenges,
      faucet: config.SANDBOX_FAUCET_URL === undefined ? undefined : createFaucet(config.SANDBOX_FAUCET_URL),
      feedGrowth: options.feedGrowth,
      challengeFeed,
      cardData: vault.client(CardDataService),
      publishedKeys: createPublishedKeys(config.IDENTITY_URL, options.runtime.now, options.platformFetch),
      down,
      missing: async () => {
        const names = await down();
        return names.length === Object.keys(checks).length ? names : [];
      },
    },
    close: async () => {
      await challengeFeed.close();
      await Promise.all([identity, card, ledger, threeds, tables, vault, chain, events, notifications].map((channel) => channel?.close()));
    },
  };
};
