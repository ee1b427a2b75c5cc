import { startService } from '@florin/data/service';
import { ConfigError } from '@florin/rpc/config';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { startClaimSweeper } from './background/claim-sweeper.ts';
import { startRewrapping } from './background/rewrap.ts';
import { createAccountsClient } from './clients/accounts.ts';
import { createCardsClient } from './clients/cards.ts';
import { createContractsClient } from './clients/contract-signers.ts';
import { createWalletsClient } from './clients/wallets.ts';
import type { VaultConfig } from './config.ts';
import type { NumberRange } from './domain/pan.ts';
import { implementations } from './handlers/index.ts';
import { createDataKeys } from './keys/data-keys.ts';
import { createReceivingKey } from './keys/receiving-key.ts';
import { openVaultKeys } from './keys/vault-keys.ts';
import { createCardNumbers } from './numbers/issue-card-number.ts';
import { createFileKeyManagement } from './ports/file-key-management.ts';
import type { KeyManagement } from './ports/key-management.ts';
import { createAccessStore } from './store/accesses.ts';
import { cardModel } from './store/card-model.ts';
import { createCardStore } from './store/cards.ts';
import { recordThenPublish } from './store/outbox-event.ts';
import { createPanClaimStore } from './store/pan-claims.ts';
import { createPinStore } from './store/pins.ts';
import { SCHEMA } from './store/schema.ts';
import { createSecurityCodeTries } from './store/security-code-tries.ts';
import { createVaultKeyStore } from './store/vault-keys.ts';

/** Parts that a test may replace. */
export type VaultOverrides = ServiceOverrides & { kms?: KeyManagement; intervalMs?: number };

/** In the range that card networks reserve for tests; no issuer owns it. */
const TEST_RANGES: readonly NumberRange[] = [{ prefix: '400000', network: 'visa' }];

const BACKGROUND_INTERVAL_MS = 60_000;

const rangesOf = ({ CARD_RANGES, SANDBOX }: VaultConfig): readonly NumberRange[] => {
  if (CARD_RANGES !== undefined) return CARD_RANGES;
  if (!SANDBOX) throw new ConfigError('CARD_RANGES: is required outside the sandbox');
  return TEST_RANGES;
};

/**
 * Wires the vault and serves it.
 * @throws ConfigError when no number range is configured outside the sandbox, or the processor's key is not on the curve
 */
export const createApp = async (config: VaultConfig, overrides: VaultOverrides = {}): Promise<App> => {
  const ranges = rangesOf(config);
  const processorKey =
    config.PROCESSOR_KEY === undefined
      ? undefined
      : await createReceivingKey(config.PROCESSOR_KEY).catch(() => {
          throw new ConfigError('PROCESSOR_KEY: is not a point of the curve P-256');
        });
  const kms = overrides.kms ?? createFileKeyManagement(config.VAULT_MASTER_KEYS);
  const intervalMs = overrides.intervalMs ?? BACKGROUND_INTERVAL_MS;

  return startService(
    { name: 'vault', schema: SCHEMA },
    config,
    overrides,
    async ({ logger, runtime, store, audit, publish, relayEvents, connectTo, traceStore, defer }) => {
      const model = cardModel(store.connection);
      const cards = traceStore('cards', createCardStore(model));
      const claims = traceStore('pan-claims', createPanClaimStore(store.connection));
      const accesses = traceStore('accesses', createAccessStore(store.connection));
      const vaultKeys = createVaultKeyStore(store.connection);
      const keys = await openVaultKeys({ kms, store: vaultKeys, now: runtime.now, randomBytes: runtime.randomBytes });
      const dataKeys = createDataKeys(kms, runtime.randomBytes);
      const numbers = createCardNumbers({ cards, claims, dataKeys, keys, ranges, runtime });

      relayEvents(model, recordThenPublish(accesses, publish));
      defer(startClaimSweeper({ numbers, runtime, logger, intervalMs }).close);
      defer(startRewrapping({ cards, vaultKeys, kms, logger, intervalMs }).close);

      const identity = connectTo('identity', config.IDENTITY_URL, []);
      // Every call to another service carries the user's own token, so this service needs no scope anywhere.
      return {
        implementations: implementations({
          cards,
          pins: traceStore('pins', createPinStore(model)),
          securityCodeTries: traceStore('security-code-tries', createSecurityCodeTries(model)),
          claims,
          accesses,
          vaultKeys,
          keys,
          dataKeys,
          kms,
          numbers,
          processorKey,
          revealsPerDay: config.REVEALS_PER_DAY,
          cardService: createCardsClient(connectTo('card', config.CARD_URL, [])),
          accounts: createAccountsClient(connectTo('ledger', config.LEDGER_URL, [])),
          contracts: createContractsClient(identity),
          wallets: createWalletsClient(identity),
          audit,
          runtime,
        }),
        userTokens: { identityUrl: config.IDENTITY_URL },
        // Only events wait for Redis.
        needsRedis: false,
      };
    },
  );
};
