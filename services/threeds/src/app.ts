import { createReservations } from '@florin/data/idempotency';
import { createOutboxRelay, createStreamPublisher, openStreamTail } from '@florin/data/outbox';
import { startService } from '@florin/data/service';
import { openChainNodes } from '@florin/evm/chain';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { type AccessControlServer, grpcAccessControlServer, sandboxAccessControlServer } from './adapters/access-control-server.ts';
import { createContractSigners } from './adapters/contract-signers.ts';
import { createRedisDecisionLock, type DecisionLock } from './adapters/decision-lock.ts';
import { startSweeper } from './background/sweeper.ts';
import { createAccounts } from './clients/accounts.ts';
import { createCards } from './clients/cards.ts';
import { createWallets } from './clients/wallets.ts';
import { acsKind, type ThreedsConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import { challengeModel } from './store/challenge-model.ts';
import { createChallenges } from './store/challenges.ts';
import { createChallengeHub } from './watching/hub.ts';
import { MAX_RECENT } from './watching/recent-events.ts';

export type { AccessControlServer, AcsAnswer } from './adapters/access-control-server.ts';
export type { DecisionLock, HeldLock } from './adapters/decision-lock.ts';

/** What a test may put in place of the real thing. */
export type ThreedsOverrides = ServiceOverrides & {
  acs?: AccessControlServer;
  lock?: DecisionLock;
  sweepIntervalMs?: number;
};

/**
 * Wires the 3DS service and serves it.
 * @throws ConfigError when the configuration contradicts itself
 */
export const createApp = async (config: ThreedsConfig, overrides: ThreedsOverrides = {}): Promise<App> => {
  const kind = acsKind(config);
  return startService('threeds', config, overrides, async (core) => {
    const { store, redis, runtime, logger, connectTo, defer } = core;
    const model = challengeModel(store.connection);
    const relay = createOutboxRelay({ model, publish: createStreamPublisher(redis, 'threeds'), logger });
    defer(relay.close);
    const challenges = createChallenges(model, runtime.newId, relay.kick);
    const acs = overrides.acs ?? (kind === 'sandbox' ? sandboxAccessControlServer : grpcAccessControlServer);
    const sweeper = startSweeper({
      acs,
      challenges,
      runtime,
      logger,
      intervalMs: overrides.sweepIntervalMs ?? config.SWEEP_INTERVAL_MS,
      ackTimeoutSeconds: config.ACK_TIMEOUT_SECONDS,
    });
    defer(sweeper.close);
    const tail = await openStreamTail(redis, 'threeds', { logger, history: MAX_RECENT });
    const hub = createChallengeHub({ challenges, tail, runtime, logger });
    defer(hub.close);
    return {
      implementations: implementations({
        runtime,
        challenges,
        acs,
        reservations: createReservations(store.connection),
        cards: createCards(connectTo('card', config.CARD_URL, [CARD_SCOPES.readCards])),
        accounts: createAccounts(connectTo('ledger', config.LEDGER_URL, [LEDGER_SCOPES.readAccounts])),
        wallets: createWallets(connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.readUsers])),
        contracts: createContractSigners(openChainNodes(config, runtime.now)),
        lock: overrides.lock ?? createRedisDecisionLock(redis),
        hub,
      }),
      userTokens: { identityUrl: config.IDENTITY_URL },
      // Redis saves work here and decides nothing: without it the service is slower, not unhealthy, and must stay in rotation.
      needsRedis: false,
    };
  });
};
