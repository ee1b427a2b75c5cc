import type { Client } from '@connectrpc/connect';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { type ClientsOf, clientsOf, createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { createHealthCheck } from '@florin/rpc/health';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { PlatformFetch, Tls } from '@florin/rpc/tls';
import type { Tracing } from '@florin/rpc/tracing';
import type { GatewayConfig } from '../config.ts';
import { type ChallengeFeed, openChallengeFeed } from '../streaming/challenge-feed.ts';
import type { FeedGrowth } from '../streaming/feed-growth.ts';
import { CONTRACTS } from './contracts.ts';
import { createFaucet, type Faucet } from './faucet.ts';
import { createPublishedKeys, type PublishedKeys } from './published-keys.ts';

type Clients = { [Service in keyof typeof CONTRACTS]: ClientsOf<(typeof CONTRACTS)[Service]> };

/** The services behind the gateway. Calls reject with CodedError: UPSTREAM_TIMEOUT, SERVICE_UNAVAILABLE or a code of the contract. */
export type Upstream = Clients['identity'] &
  Clients['card'] &
  Clients['ledger'] &
  Clients['threeds'] &
  Clients['vault'] &
  Partial<Clients['chain']> &
  Partial<Clients['events']> &
  Partial<Clients['notifications']> & {
    /** Statements for tables, which take many calls: over connections of their own, so that other calls do not wait behind them. */
    tables: Pick<Client<typeof StatementService>, 'listStatement'>;
    personalData: Readonly<Record<'identity' | 'card' | 'ledger' | 'threeds' | 'vault', Client<typeof PersonalDataService>>> & {
      notifications: Client<typeof PersonalDataService> | undefined;
    };
    /** The audit logs of all services that are configured. */
    audit: readonly Client<typeof AuditService>[];
    /** Pays the deposits of a sandbox that has a chain of its own. */
    faucet: Faucet | undefined;
    /** Tells when users have new events. Undefined where no events service is configured. */
    feedGrowth: FeedGrowth | undefined;
    /** The changes of all users' challenges. */
    challengeFeed: ChallengeFeed;
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
  const challengeFeed = openChallengeFeed({ client: threeds.client(ChallengeService), logger: options.logger, now: options.runtime.now });
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
      ...clientsOf(identity, CONTRACTS.identity),
      ...clientsOf(card, CONTRACTS.card),
      ...clientsOf(ledger, CONTRACTS.ledger),
      ...clientsOf(threeds, CONTRACTS.threeds),
      ...clientsOf(vault, CONTRACTS.vault),
      ...(chain === undefined ? {} : clientsOf(chain, CONTRACTS.chain)),
      ...(events === undefined ? {} : clientsOf(events, CONTRACTS.events)),
      ...(notifications === undefined ? {} : clientsOf(notifications, CONTRACTS.notifications)),
      tables: tables.client(StatementService),
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
      faucet: config.SANDBOX_FAUCET_URL === undefined ? undefined : createFaucet(config.SANDBOX_FAUCET_URL),
      feedGrowth: options.feedGrowth,
      challengeFeed,
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
