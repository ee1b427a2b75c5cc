import { CardService } from '@florin/proto/card/v1/card_service';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { RecoveryService } from '@florin/proto/chain/v1/recovery_service';
import { ReservesService } from '@florin/proto/chain/v1/reserves_service';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { KycService } from '@florin/proto/identity/v1/kyc_service';
import { OnboardingService } from '@florin/proto/identity/v1/onboarding_service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { SessionService } from '@florin/proto/identity/v1/session_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { type ClientsOf, clientsOf, createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Tls } from '@florin/rpc/tls';
import type { Tracing } from '@florin/rpc/tracing';
import type { BackOfficeConfig } from '../config.ts';
import type { Overview } from '../contract/index.ts';
import { readAlerts } from './alerts.ts';
import { healthOf } from './health.ts';
import { BACK_OFFICE_SCOPES } from './scopes.ts';

/** The contracts that the back office calls, by service. */
const CONTRACTS = {
  identity: {
    users: UserService,
    sessions: SessionService,
    partnerClients: PartnerClientService,
    onboarding: OnboardingService,
    kyc: KycService,
  },
  card: { cards: CardService, payments: PaymentService, exceptions: ExceptionService },
  ledger: {
    accounts: AccountService,
    balances: BalanceService,
    movements: MovementService,
    adjustments: AdjustmentService,
    entries: EntryService,
  },
  threeds: { challenges: ChallengeService },
  events: { feed: FeedService, webhooks: WebhookEndpointService },
  chain: { watches: WatchService, reserves: ReservesService, recoveries: RecoveryService },
  settlement: { settlement: SettlementService },
} as const;

type Clients = { [Service in keyof typeof CONTRACTS]: ClientsOf<(typeof CONTRACTS)[Service]> };

/** The services that the back office calls. Calls reject with CodedError. */
export type Services = Clients['identity'] &
  Clients['card'] &
  Clients['ledger'] &
  Clients['threeds'] &
  Partial<Clients['events']> &
  Partial<Clients['chain']> &
  Partial<Clients['settlement']> & {
    /** Reports whether each service serves, by its own health check. */
    health: () => Promise<Overview['services']>;
    /** The alerts that fire. Undefined where no Prometheus is configured. */
    alerts: (() => Promise<NonNullable<Overview['alerts']>>) | undefined;
  };

/** Requires a service that a platform may lack. @throws CodedError NOT_FOUND */
const required = <Service>(service: Service | undefined, message: string): Service => {
  if (service === undefined) throw new CodedError('NOT_FOUND', { message });
  return service;
};

/** Without a chain service there is nothing to watch, and nothing to decide. */
export const watching = ({ watches }: Pick<Services, 'watches'>) => required(watches, 'no chain is watched');
/** Without an events service nothing is delivered. */
export const delivering = ({ webhooks }: Pick<Services, 'webhooks'>) => required(webhooks, 'there is no events service');
/** Without a settlement service there are no books with networks. */
export const settling = ({ settlement }: Pick<Services, 'settlement'>) => required(settlement, 'no settlement service is configured');

type Unary = (...given: unknown[]) => Promise<unknown>;

/**
 * The channel, on which a service that rejects the back office's own token is told from one that an operator's roles do not allow, or whose session has ended.
 * Calls reject with BACK_OFFICE_NOT_ADMITTED then.
 */
const admitted = (channel: RpcChannel): RpcChannel => ({
  ...channel,
  client: (service, options) => {
    const client = channel.client(service, options);
    const calls = client as unknown as Readonly<Record<string, Unary>>;
    const unary = service.methods.filter(({ methodKind }) => methodKind === 'unary');
    const own = unary.map(({ localName }): [string, Unary] => [
      localName,
      async (...given) => {
        try {
          return await calls[localName]?.(...given);
        } catch (error) {
          const isRejected = error instanceof CodedError && (error.code === 'UNAUTHORIZED' || error.code === 'FORBIDDEN');
          throw isRejected ? new CodedError('BACK_OFFICE_NOT_ADMITTED', { cause: error }) : error;
        }
      },
    ]);
    return { ...client, ...Object.fromEntries(own) };
  },
});

/** Opens one channel to each service. */
export const openServices = (
  config: BackOfficeConfig,
  {
    tls,
    tracing,
    runtime: { patience },
    defer,
  }: { tls: Tls | undefined; tracing: Tracing | undefined; runtime: Pick<Runtime, 'patience'>; defer: (release: () => unknown) => void },
): Services => {
  const prometheusUrl = config.PROMETHEUS_URL;
  const channels = new Map<string, RpcChannel>();
  const open = <Service extends keyof typeof CONTRACTS>(audience: Service, baseUrl: string): Clients[Service] => {
    const serviceToken = createServiceTokenSource({ key: config.SERVICE_KEY, audience, scopes: BACK_OFFICE_SCOPES[audience] });
    const channel = admitted(createRpcChannel({ baseUrl, serviceToken, tls, tracing, patience }));
    defer(channel.close);
    channels.set(audience, channel);
    return clientsOf(channel, CONTRACTS[audience]) as Clients[Service];
  };
  return {
    ...open('identity', config.IDENTITY_URL),
    ...open('card', config.CARD_URL),
    ...open('ledger', config.LEDGER_URL),
    ...open('threeds', config.THREEDS_URL),
    ...(config.CHAIN_URL === undefined ? {} : open('chain', config.CHAIN_URL)),
    ...(config.EVENTS_URL === undefined ? {} : open('events', config.EVENTS_URL)),
    ...(config.SETTLEMENT_URL === undefined ? {} : open('settlement', config.SETTLEMENT_URL)),
    health: () => Promise.all([...channels].map(([name, channel]) => healthOf(name, channel))),
    alerts: prometheusUrl === undefined ? undefined : () => readAlerts(prometheusUrl),
  };
};
