import { createReservations } from '@florin/data/idempotency';
import { openStreamTail } from '@florin/data/outbox';
import { reservationRule, startRetention } from '@florin/data/retention';
import { startService } from '@florin/data/service';
import { openChainNodes } from '@florin/evm/chain';
import { createChainContractSigners } from '@florin/evm/contract-signers';
import { signatureRecovery } from '@florin/evm/signatures';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { startSweeper } from './background/sweeper.ts';
import { createAccountsClient } from './clients/accounts.ts';
import { createCardsClient } from './clients/cards.ts';
import { createWalletsClient } from './clients/wallets.ts';
import type { ThreedsConfig } from './config.ts';
import { createDecisionLock, type DecisionLock } from './decisions/decision-lock.ts';
import { implementations } from './handlers/index.ts';
import type { AccessControlServer } from './ports/access-control-server.ts';
import { chooseAccessControlServer } from './ports/access-control-server.ts';
import { challengeModel } from './store/challenge-model.ts';
import { createChallengeStore } from './store/challenges.ts';
import { createConsumptionStore } from './store/consumptions.ts';
import { SCHEMA } from './store/schema.ts';
import { createChallengeHub } from './watching/hub.ts';
import { MAX_RECENT } from './watching/recent-events.ts';

/** Parts that a test may replace. */
export type ThreedsOverrides = ServiceOverrides & {
  acs?: AccessControlServer;
  lock?: DecisionLock;
  sweepIntervalMs?: number;
};

/**
 * Wires the 3DS service and serves it.
 * @throws ConfigError when the configured access control server is not allowed
 */
export const createApp = async (config: ThreedsConfig, overrides: ThreedsOverrides = {}): Promise<App> => {
  const acs = overrides.acs ?? chooseAccessControlServer(config);
  return startService({ name: 'threeds', schema: SCHEMA }, config, overrides, async (core) => {
    const { store, redis, runtime, logger, connectTo, traceStore, defer } = core;
    logger.info({ secp256k1: await signatureRecovery() }, 'signature recovery');
    const model = challengeModel(store.connection);
    const relay = core.relayEvents(model);
    defer(
      startRetention({ connection: store.connection, rules: [reservationRule(config.RETENTION_IDEMPOTENCY_DAYS)], runtime, logger }).close,
    );
    const challenges = traceStore('challenges', createChallengeStore(model, runtime.newId, relay.kick));
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
        consumptions: traceStore('consumptions', createConsumptionStore(model, config.APPROVAL_MAX_AGE_DAYS)),
        acs,
        reservations: traceStore('reservations', createReservations(store.connection)),
        cards: createCardsClient(connectTo('card', config.CARD_URL, [CARD_SCOPES.readCards])),
        accounts: createAccountsClient(connectTo('ledger', config.LEDGER_URL, [LEDGER_SCOPES.readAccounts])),
        wallets: createWalletsClient(connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.readUsers])),
        contracts: createChainContractSigners(openChainNodes(config, runtime.now)),
        lock: overrides.lock ?? createDecisionLock(),
        hub,
        sandbox: config.SANDBOX,
      }),
      userTokens: { identityUrl: config.IDENTITY_URL },
      // Redis only saves work here: without it the service is slower but healthy, and must stay in rotation.
      needsRedis: false,
    };
  });
};
