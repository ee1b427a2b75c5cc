import { createReservations } from '@florin/data/idempotency';
import { createOutboxRelay, createStreamPublisher } from '@florin/data/outbox';
import { startService } from '@florin/data/service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { type Accounts, createAccounts } from './clients/accounts.ts';
import { createPhoneVerifier, type PhoneVerifier } from './clients/phone-verifier.ts';
import type { CardConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import { createIssuing } from './issuing/issue-card.ts';
import { startSweeper } from './issuing/sweeper.ts';
import type { CardProcessor } from './processor/card-processor.ts';
import { chooseProcessor } from './processor/choose-processor.ts';
import { cardModel } from './store/card-model.ts';
import { cardholderModel } from './store/cardholder-model.ts';
import { createCardholderStore } from './store/cardholders.ts';
import { createCardStore } from './store/cards.ts';

export type CardOverrides = ServiceOverrides & {
  processor?: CardProcessor;
  accounts?: Accounts;
  phoneVerifier?: PhoneVerifier;
};

/**
 * The card service, wired and listening.
 * @throws ConfigError when the configuration names no processor that may be used
 */
export const createApp = async (config: CardConfig, overrides: CardOverrides = {}): Promise<App> => {
  const processor = overrides.processor ?? chooseProcessor(config);
  return startService('card', config, overrides, async ({ logger, runtime, store, redis, connectTo, defer }) => {
    const models = { cardholders: cardholderModel(store.connection), cards: cardModel(store.connection) };
    const cardholders = createCardholderStore(models.cardholders, runtime);
    const cards = createCardStore(models.cards, runtime);
    const issuing = createIssuing({ cardholders, cards, processor, processorTimeoutMs: config.PROCESSOR_TIMEOUT_MS, runtime });

    const publish = createStreamPublisher(redis, 'card');
    for (const model of Object.values(models)) defer(createOutboxRelay({ model, publish, logger }).close);
    defer(startSweeper({ cardholders, issuing, runtime, logger }).close);

    const dependencies = {
      cardholders,
      cards,
      issuing,
      runtime,
      reservations: createReservations(store.connection),
      // Asked with the user's own token only, so that no scope of this service is needed.
      accounts: overrides.accounts ?? createAccounts(connectTo('ledger', config.LEDGER_URL, [])),
      phoneVerifier:
        overrides.phoneVerifier ?? createPhoneVerifier(connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.verifyPhones])),
      phoneVerification: config.PHONE_VERIFICATION,
    };
    return { implementations: implementations(dependencies), userTokens: { identityUrl: config.IDENTITY_URL } };
  });
};
