import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { createFieldCipher, fieldShape } from '@florin/data/encryption';
import { streamOf } from '@florin/data/outbox';
import { openRedis } from '@florin/data/redis';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import { CardStatus } from '@florin/proto/card/v1/card';
import { CardService } from '@florin/proto/card/v1/card_service';
import { type CreateCardChangeChallengeRequestSchema, PaymentService } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { onBehalfOf } from '@florin/rpc/client';
import { loadConfig } from '@florin/rpc/config';
import { createTestAuthority, fakeClock, quietLogger } from '@florin/rpc/testing';
import { type CardOverrides, createApp } from '../app.ts';
import { configShape } from '../config.ts';
import type { CardFace } from '../domain/card.ts';
import type { CardProcessor, CardState, DisputeState } from '../ports/card-processor.ts';
import { signatureOf, startTestIdentity, startTestLedger, startTestVault } from './neighbours.ts';

export const PHONE = '+4915112345678';
export const OTHER_PHONE = '+4915112345679';

const LONG_AGO = new Date('2025-01-31T12:00:00Z');
/** Tokens and sign-ins outlive every jump of the clock, unless a test states when its user signed in. */
const FAR_AWAY = new Date('2090-01-01T00:00:00Z');

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The card service on real engines, with test doubles of the ledger and identity services. */
export const createWorld = async (env: Record<string, string> = {}) => {
  const authority = await createTestAuthority({
    card: [
      VAULT_SCOPES.writeCardNumbers,
      IDENTITY_SCOPES.verifyPhones,
      LEDGER_SCOPES.writeEntries,
      LEDGER_SCOPES.readBalances,
      LEDGER_SCOPES.readAdjustments,
    ],
    threeds: [CARD_SCOPES.readCards],
    office: [CARD_SCOPES.readCards, CARD_SCOPES.writeCards, CARD_SCOPES.readPayments],
    identity: [PRIVACY_SCOPES.eraseData, PRIVACY_SCOPES.exportData],
    gateway: [],
    settlement: [CARD_SCOPES.matchSettlement],
    processor: [CARD_SCOPES.writePayments],
    network: [CARD_SCOPES.writePayments],
  });
  const clock = fakeClock(LONG_AGO);
  const ledger = await startTestLedger(authority, clock.now);
  const identity = await startTestIdentity(authority, clock.now);
  const vault = await startTestVault(authority);
  const environment = testEnvironment('card', authority, {
    IDENTITY_URL: identity.url,
    LEDGER_URL: ledger.url,
    THREEDS_URL: 'http://127.0.0.1:9',
    VAULT_URL: vault.url,
    ...env,
  });
  const fieldKeys = loadConfig(fieldShape, environment);
  const redis = await openRedis(environment['REDIS_URL'] ?? '', quietLogger);
  const startedAt = Date.now();
  const bed = await openTestBed(environment);
  for (const end of [() => redis.destroy(), vault.close, identity.close, ledger.close]) bed.defer(end);

  return {
    authority,
    clock,
    ledger,
    identity,
    redis,
    environment,
    cipher: createFieldCipher(fieldKeys.FIELD_KEYS, fieldKeys.FIELD_HASH_KEY),

    /** Starts a card service; any number of them share the world's database. */
    start: async (overrides: CardOverrides & { env?: Record<string, string> } = {}) => {
      const { env: more, ...rest } = overrides;
      const app = await createApp(loadConfig(configShape, { ...environment, ...more }), {
        runtime: { now: clock.now },
        userKeys: authority.userKeys,
        logger: quietLogger,
        ...rest,
      });
      const { client: clientOf, close } = bed.connect(app);
      const client = clientOf(CardService);
      const payments = clientOf(PaymentService);

      /** A user of this service, with their own token. */
      const as = async (userId: string = randomUUID(), signedInAt = FAR_AWAY) => {
        const token = await authority.userToken({ wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId, signedInAt }, FAR_AWAY);
        const options = onBehalfOf({ token, requestId: randomUUID() });
        return {
          userId,
          create: async (request: { requestId?: string; cardName?: string; phone?: string } = {}) => {
            const { card } = await client.createVirtualCard({ requestId: randomUUID(), cardName: 'Everyday', ...request }, options);
            if (card === undefined) throw new Error('the response has no card');
            return card;
          },
          list: async (status: CardStatus = CardStatus.UNSPECIFIED) => (await client.listCards({ status }, options)).cards,
          page: (page: { limit: number; cursor: string }) => client.listCards({ page }, options),
          updatePhone: (request: { phone?: string; code?: string; requestId?: string }) => client.updatePhone(request, options),
          /** The approval of a change by the user's wallet. */
          approve: async (change: MessageInitShape<typeof CreateCardChangeChallengeRequestSchema>['change']) => {
            const { typedData } = await payments.createCardChangeChallenge({ change: change ?? { case: undefined } }, options);
            return signatureOf(typedData?.authorization ?? '', typedData?.nonce ?? '');
          },
          cardholder: () => client.getCurrentCardholder({}, options),
          options,
        };
      };
      return { app, client, payments, as, close };
    },

    serviceOptions: (name: string, scopes: string[]) => authority.asService(name, 'card', scopes),

    /** Events of one aggregate that have reached the stream, oldest first, without duplicates. */
    events: async (aggregateId: string) => {
      const entries = (await redis.xRange(streamOf('card'), `${startedAt}`, '+')) ?? [];
      const own = entries.flatMap(({ message }) => (message['aggregateId'] === aggregateId ? [message] : []));
      const once = new Map(own.map((message) => [message['id'], message]));
      return [...once.values()].map((message) => ({ type: message['type'], payload: JSON.parse(message['payload'] ?? '') }));
    },

    close: bed.close,
  };
};

const FACE = { last4: '4242', expMonth: 1, expYear: 2088, network: 'visa' };

/** A processor that a test can make refuse, fail or hang; it records the cards that it has issued and renewed. */
export const createTestProcessor = (face: CardFace = FACE) => {
  const issued = new Set<string>();
  const renewed = new Set<string>();
  const told: CardState[] = [];
  const toldDisputes: DisputeState[] = [];
  const state: { mode: 'issue' | 'refuse' | 'fail' | 'failAfter' | 'hang' } = { mode: 'issue' };
  const processor: CardProcessor = {
    issueCard: async ({ cardId }) => {
      switch (state.mode) {
        case 'refuse':
          return { outcome: 'refused' };
        case 'fail':
          throw new Error('processor is unavailable');
        case 'hang':
          return new Promise(() => {});
        case 'failAfter':
          issued.add(cardId);
          throw new Error('response was lost');
        case 'issue':
          issued.add(cardId);
          return { outcome: 'issued', face };
      }
    },
    renewCard: async ({ cardId, expMonth, expYear }) => {
      if (state.mode === 'refuse') return { outcome: 'refused' };
      if (state.mode === 'hang') return new Promise(() => {});
      if (state.mode !== 'fail') renewed.add(`${cardId} ${expMonth}/${expYear}`);
      if (state.mode !== 'issue') throw new Error('processor is unavailable');
      return { outcome: 'renewed', expiry: { expMonth, expYear: expYear + 4 } };
    },
    reportState: async (reported) => {
      if (state.mode !== 'issue') throw new Error('processor is unavailable');
      told.push(reported);
    },
    reportDispute: async (reported) => {
      if (state.mode !== 'issue') throw new Error('processor is unavailable');
      toldDisputes.push(reported);
    },
  };
  return { processor, issued, renewed, told, toldDisputes, state };
};
