import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { holdIdOf } from '@florin/card/testing/payment-ids';
import { ensureKeys, type Platform } from '@florin/local';
import { EntryMode } from '@florin/proto/card/v1/payment';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createApiClient } from '../support/api-client.ts';
import { euro, SHOP } from '../support/card-network.ts';
import { createCard, type Person, registerPerson } from '../support/story.ts';
import { latenciesAtRate } from './latencies-at-rate.ts';
import { percentile } from './row.ts';

export const CALLERS = 32;
const PEOPLE = 16;
const CARDS_EACH = 2;

const NO_LIMITS = { limits: {} };

/**
 * Variables of the platform. Reveals and amounts are limited by default; the cardholders' own limits are still counted. On a slow machine a decision
 * that is late is still a result.
 */
export const CARDS_ENVIRONMENT = {
  REVEALS_PER_DAY: '1000',
  CARD_PROGRAM: JSON.stringify(NO_LIMITS),
  AUTHORIZATION_DEADLINE_MS: '5000',
};

export type Card = { person: Person; cardId: string; accountId: string };
type Call = () => Promise<void>;
type Loop = { count: number; perSecond: number };

/** Callers that each send the next call when the last one is answered. */
export const closedLoop = async (call: (caller: number) => Promise<void>, seconds: number): Promise<Loop> => {
  let count = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    while (performance.now() < end) {
      await call(caller);
      count += 1;
    }
  });
  await Promise.all(callers);
  return { count, perSecond: (count / (performance.now() - started)) * 1000 };
};

/** 99th percentile of the latency at a fixed rate, in milliseconds. */
export const openLoop = async (call: Call, perSecond: number, seconds: number): Promise<number> => {
  const latencies = await latenciesAtRate(call, perSecond, seconds);
  return percentile(latencies, 0.99);
};

const grpc = (baseUrl: string, token: () => Promise<string>) => {
  const authorize: Interceptor = (next) => async (request) => {
    request.header.set('authorization', `Bearer ${await token()}`);
    return next(request);
  };
  return createGrpcTransport({ baseUrl, interceptors: [authorize], defaultTimeoutMs: 20_000 });
};

const openClients = async (platform: Platform, dataDir: string) => {
  const keys = await ensureKeys(dataDir);
  const key = serviceKeySchema.parse(JSON.parse(await readFile(keys.keyFile('operator'), 'utf8')));
  const tokens = (audience: string, scopes: string[]) => createServiceTokenSource({ key, audience, scopes });
  const ledger = grpc(platform.urls.ledger, tokens('ledger', [LEDGER_SCOPES.writeEntries]));
  return {
    processor: createClient(ProcessorService, grpc(platform.urls.card, tokens('card', [CARD_SCOPES.writePayments]))),
    entries: createClient(EntryService, ledger),
    holds: createClient(HoldService, ledger),
  };
};

const openCards = async (platform: Platform): Promise<Card[]> => {
  const api = createApiClient(platform.urls.gateway);
  const cards: Card[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    const person = await registerPerson(api);
    const { token } = person;
    const { id: accountId } = await api.call<{ id: string }>('GET', '/user/account', { token });
    await api.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: `${10n ** 26n}` } });
    for (let count = 0; count < CARDS_EACH; count += 1) cards.push({ person, cardId: await createCard(api, token), accountId });
  }
  return cards;
};

/** Cards of a platform, with the calls that are measured. */
export const openCardLoad = async (platform: Platform, dataDir: string, report: (line: string) => void) => {
  report(`opening ${PEOPLE * CARDS_EACH} cards`);
  const cards = await openCards(platform);
  const { processor, entries, holds } = await openClients(platform, dataDir);

  // An account has at most 1,000 open holds: between the rounds they are released, which is not measured.
  const open: { accountId: string; holdId: string }[] = [];
  const release = async (): Promise<void> => {
    const callers = Array.from({ length: CALLERS }, async () => {
      for (let hold = open.pop(); hold !== undefined; hold = open.pop()) await holds.voidHold(hold);
    });
    await Promise.all(callers);
  };

  return {
    cards,
    cardAt: (index: number): Card => cards[index % cards.length] as Card,

    /** Waits for a round, and releases what it holds. */
    measure: async <T>(run: Promise<T>): Promise<T> => {
      const result = await run;
      await release();
      return result;
    },

    authorize: async ({ cardId, accountId }: Card): Promise<void> => {
      const event = { eventId: randomUUID(), transactionId: randomUUID(), cardId };
      const { decision } = await processor.authorize({ event, amount: euro(1), merchant: SHOP, entryMode: EntryMode.CHIP });
      if (decision?.approved !== true) throw new Error(`declined with ${decision?.responseCode}; the result is invalid`);
      open.push({ accountId, holdId: holdIdOf(decision.paymentId, event.eventId) });
    },

    hold: async ({ accountId }: Card): Promise<void> => {
      const holdExpiresAt = timestampFromDate(new Date(Date.now() + 86_400_000));
      const transfers = [{ debit: accountId, credit: `${accountId}/settling`, token: 'EURe', amount: '1' }];
      const holdId = randomUUID();
      const { results } = await entries.createEntries({ entries: [{ entryId: holdId, transfers, holdExpiresAt }] });
      if (results[0]?.code !== EntryResultCode.CREATED) throw new Error('a hold was refused; the result is invalid');
      open.push({ accountId, holdId });
    },
  };
};

export type CardLoad = Awaited<ReturnType<typeof openCardLoad>>;
