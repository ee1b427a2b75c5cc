import { openFieldCipher, startRewrap } from '@florin/data/encryption';
import { createReservations } from '@florin/data/idempotency';
import { reservationRule, startRetention } from '@florin/data/retention';
import { partnersAt, startService } from '@florin/data/service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import type { ServiceTrust } from '@florin/rpc/auth';
import { ConfigError } from '@florin/rpc/config';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { type AccountsClient, createAccountsClient } from './clients/accounts.ts';
import { createAdjustmentsClient } from './clients/adjustments.ts';
import { createApprovalsClient } from './clients/approvals.ts';
import { type AuthenticationsClient, createAuthenticationsClient } from './clients/authentications.ts';
import { createCardNumbersClient } from './clients/card-numbers.ts';
import { createHoldsClient, type HoldsClient } from './clients/holds.ts';
import { createNoticesClient, type NoticesClient } from './clients/notices.ts';
import { createPhoneVerifierClient, type PhoneVerifierClient } from './clients/phone-verifier.ts';
import { TokenAgreement } from './clients/token-agreement.ts';
import type { CardConfig } from './config.ts';
import { implementations } from './handlers/index.ts';
import { createIssuing } from './issuing/issue-card.ts';
import { startIssuingSweeper } from './issuing/issuing-sweeper.ts';
import { createCardChanges } from './life/change-card.ts';
import { createRenewals } from './life/renew-card.ts';
import { startRenewalSweeper } from './life/renewal-sweeper.ts';
import { createReplacements } from './life/replace-card.ts';
import { wirePayments } from './payments/wire-payments.ts';
import type { AuthorizationDecider } from './ports/authorization-decider.ts';
import type { CardProcessor } from './ports/card-processor.ts';
import { chooseAuthorizationDecider } from './ports/choose-authorization-decider.ts';
import { chooseCardProcessor } from './ports/choose-card-processor.ts';
import { chooseRates, type Rates } from './ports/choose-rate-source.ts';
import { programOf } from './program-config.ts';
import { cardModel } from './store/card-model.ts';
import { cardholderModel } from './store/cardholder-model.ts';
import { createCardholderStore } from './store/cardholders.ts';
import { createCardStore } from './store/cards.ts';
import { createEventClaimStore } from './store/event-claims.ts';
import { createExceptionStore } from './store/exceptions.ts';
import { paymentModel } from './store/payment-model.ts';
import { createPaymentStore } from './store/payments.ts';
import { SCHEMA } from './store/schema.ts';
import { createSpendingStore } from './store/spendings.ts';
import { startProcessorTeller, toCardState, toDisputeStates } from './telling/processor-teller.ts';

/** Parts that a test may replace. */
export type CardOverrides = ServiceOverrides & {
  processor?: CardProcessor;
  accounts?: AccountsClient;
  notices?: NoticesClient;
  phoneVerifier?: PhoneVerifierClient;
  /** Puts a layer between this service and the ledger, for example one that fails. */
  wrapHolds?: (holds: HoldsClient) => HoldsClient;
  authentications?: AuthenticationsClient;
  decider?: AuthorizationDecider;
  rates?: Rates;
};

/** Names of the clients that report payments. */
const processorsIn = ({ clients }: ServiceTrust): string[] =>
  clients.filter(({ scopes }) => scopes.includes(CARD_SCOPES.writePayments)).map(({ name }) => name);

/**
 * Wires the card service and serves it.
 * @throws ConfigError when the configured processor or card program is not allowed, or the program's token is not the ledger's
 */
export const createApp = async (config: CardConfig, overrides: CardOverrides = {}): Promise<App> => {
  const program = programOf(config);
  const stranger = config.ACKNOWLEDGING_CLIENTS.find((name) => !processorsIn(config.SERVICE_TRUST).includes(name));
  if (stranger !== undefined)
    throw new ConfigError(`ACKNOWLEDGING_CLIENTS: ${stranger} is no client with the scope ${CARD_SCOPES.writePayments}`);
  return startService(
    { name: 'card', schema: SCHEMA },
    config,
    overrides,
    async ({ logger, runtime, metrics, store, trust, relayEvents, connectTo, traceStore, defer }) => {
      const numbers = createCardNumbersClient(
        connectTo('vault', config.VAULT_URL, [VAULT_SCOPES.writeCardNumbers, VAULT_SCOPES.sealCardNumbers]),
      );
      const processor = overrides.processor ?? chooseCardProcessor(config, { numbers, now: runtime.now, defer });
      const models = {
        cardholders: cardholderModel(store.connection),
        cards: cardModel(store.connection),
        payments: paymentModel(store.connection),
      };
      const cipher = await openFieldCipher(store.connection, config.FIELD_KEYS, config.FIELD_HASH_KEY);
      const cardholders = traceStore('cardholders', createCardholderStore(models.cardholders, runtime, cipher));
      defer(
        startRetention({ connection: store.connection, rules: [reservationRule(config.RETENTION_IDEMPOTENCY_DAYS)], runtime, logger })
          .close,
      );
      defer(startRewrap({ connection: store.connection, fields: { cardholders: ['phone'] }, cipher, logger }).close);
      const cards = traceStore('cards', createCardStore(models.cards, runtime));
      const payments = traceStore('payments', createPaymentStore(models.payments, runtime, program));
      const claims = traceStore('event-claims', createEventClaimStore(store.connection));
      const exceptions = traceStore('exceptions', createExceptionStore(store.connection, runtime));
      const spendings = traceStore('spendings', createSpendingStore(store.connection));
      const processorTimeoutMs = config.PROCESSOR_TIMEOUT_MS;
      const { cardsPerDay } = program;
      const issuing = createIssuing({ cardholders, cards, processor, processorTimeoutMs, cardsPerDay, runtime });
      const changes = createCardChanges({ cards, runtime });
      const renewals = createRenewals({ cards, changes, processor, processorTimeoutMs, runtime });

      const ledger = connectTo('ledger', config.LEDGER_URL, [
        LEDGER_SCOPES.writeEntries,
        LEDGER_SCOPES.readEntries,
        LEDGER_SCOPES.readBalances,
      ]);
      const agreement = new TokenAgreement(ledger, program, runtime);
      await agreement.verify().catch((err: unknown) => {
        if (err instanceof ConfigError) throw err;
        logger.warn({ err }, 'the ledger cannot be reached yet: its token is compared with the program before the first order');
      });
      const holds = (overrides.wrapHolds ?? ((client) => client))(agreement.guard(createHoldsClient(ledger)));
      const paying = wirePayments({
        cardholders,
        cards,
        changes,
        payments,
        spendings,
        claims,
        exceptions,
        holds,
        authentications:
          overrides.authentications ??
          createAuthenticationsClient(connectTo('threeds', config.THREEDS_URL, [THREEDS_SCOPES.consumeAuthentications])),
        decider: overrides.decider ?? chooseAuthorizationDecider(config, { now: runtime.now, defer }),
        ...(overrides.rates ?? (await chooseRates(config, { now: runtime.now, logger, metrics, defer }))),
        program,
        deadlineMs: config.AUTHORIZATION_DEADLINE_MS,
        runtime,
        logger,
        defer,
      });

      for (const model of Object.values(models)) relayEvents(model);
      defer(startIssuingSweeper({ cardholders, issuing, runtime, logger }).close);
      defer(startRenewalSweeper({ cards, renewals, runtime, logger }).close);
      const telling = { processorTimeoutMs, runtime, logger };
      defer(
        startProcessorTeller({ ...telling, records: cards, tell: (card, signal) => processor.reportState(toCardState(card), signal) })
          .close,
      );
      defer(
        startProcessorTeller({
          ...telling,
          records: payments,
          tell: (payment, signal) => Promise.all(toDisputeStates(payment, program).map((state) => processor.reportDispute(state, signal))),
        }).close,
      );

      const dependencies = {
        cardholders,
        cards,
        issuing,
        changes,
        renewals,
        replacements: createReplacements({ cards, changes, issuing, runtime }),
        runtime,
        reservations: traceStore('reservations', createReservations(store.connection)),
        // They are called with the user's own token only, so this service needs no scope.
        accounts: overrides.accounts ?? createAccountsClient(connectTo('ledger', config.LEDGER_URL, [])),
        approvals: createApprovalsClient(connectTo('identity', config.IDENTITY_URL, [])),
        notices: overrides.notices ?? createNoticesClient(connectTo('identity', config.IDENTITY_URL, [])),
        phoneVerifier:
          overrides.phoneVerifier ?? createPhoneVerifierClient(connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.verifyPhones])),
        phoneVerification: config.PHONE_VERIFICATION,
        ...paying,
        sandbox: config.SANDBOX,
        payments,
        claims,
        exceptions,
        adjustments: createAdjustmentsClient(connectTo('ledger', config.LEDGER_URL, [LEDGER_SCOPES.readAdjustments])),
        processors: () => processorsIn(trust.current()),
        spendings,
        holds,
        program,
        erasureWaitDays: config.ERASURE_WAIT_DAYS,
      };
      return {
        implementations: implementations(dependencies),
        userTokens: { identityUrl: config.IDENTITY_URL },
        partners: partnersAt(connectTo('identity', config.IDENTITY_URL, [IDENTITY_SCOPES.checkPartners])),
        // Only events wait for Redis.
        needsRedis: false,
      };
    },
  );
};
