import { randomUUID } from 'node:crypto';
import type { Message, MessageInitShape } from '@bufbuild/protobuf';
import { CheckResult, EntryMode } from '@florin/proto/card/v1/payment';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import {
  type AuthorizeRequestSchema,
  type ClearRequestSchema,
  type EventReferenceSchema,
  ProcessorService,
} from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';

/** An amount in euro cents. */
export const euro = (amount: number | bigint | string) => ({ amount: String(amount), currency: 'EUR', decimals: 2 });

export const SHOP = { id: 'M-1', name: 'Corner Shop', city: 'Berlin', country: 'DE', categoryCode: '5411' };

/** Without which there is no cash. */
export const CORRECT_PIN = { pin: CheckResult.CORRECT };

const SCOPES = [CARD_SCOPES.writeDisputes, CARD_SCOPES.writePayments, CARD_SCOPES.readPayments, CARD_SCOPES.readCards];

export type Reference = Exclude<MessageInitShape<typeof EventReferenceSchema>, Message>;
type AuthorizeInit = Exclude<MessageInitShape<typeof AuthorizeRequestSchema>, Message>;
type ClearInit = Exclude<MessageInitShape<typeof ClearRequestSchema>, Message>;

const REPEATS = 20;
const PAUSE_MS = 50;
/** After these the event may or may not be on record. */
const UNKNOWN: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT']);

/** Sends a request until its outcome is known, as a processor does: on a slow machine a decision may not be on record in time. */
export const untilKnown = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let repeat = 1; ; repeat += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof CodedError) || !UNKNOWN.has(error.code) || repeat > REPEATS) throw error;
      await pause(PAUSE_MS);
    }
  }
};

/**
 * The card network as a processor reports it to the card service, with the operator's key.
 * @param serviceKey private key of a client with the scopes
 */
export const connectCardNetwork = (cardUrl: string, serviceKey: unknown, scopes: readonly string[] = SCOPES) => {
  const serviceToken = createServiceTokenSource({
    key: serviceKeySchema.parse(serviceKey),
    audience: 'card',
    scopes: [...scopes],
  });
  const channel = createRpcChannel({ baseUrl: cardUrl, serviceToken, timeoutMs: 20_000 });
  const processor = channel.client(ProcessorService);
  const payments = channel.client(PaymentService);

  /** A payment of the network: its events share a transaction id, and each has an id of its own. */
  const payment = (cardId: string, transactionId: string = randomUUID()) => {
    const event = (more: Reference = {}): Reference => ({ eventId: randomUUID(), transactionId, cardId, ...more });
    return {
      transactionId,
      cardId,
      event,
      authorize: async (amount: number | string, more: Partial<AuthorizeInit> = {}) => {
        const verdicts = more.atm === true ? { checks: CORRECT_PIN } : {};
        const request = { event: event(), amount: euro(amount), merchant: SHOP, entryMode: EntryMode.ECOMMERCE, ...verdicts, ...more };
        const { decision } = await untilKnown(() => processor.authorize(request));
        if (decision === undefined) throw new Error('the response has no decision');
        return decision;
      },
      increment: async (amount: number) => {
        const request = { event: event(), amount: euro(amount) };
        return (await untilKnown(() => processor.increment(request))).decision;
      },
      advise: async (amount: number) => (await processor.advise({ event: event(), amount: euro(amount), merchant: SHOP })).payment,
      reverse: async (amount?: number) =>
        (await processor.reverse({ event: event(), ...(amount === undefined ? {} : { amount: euro(amount) }) })).payment,
      /** Undoes a request whose answer was not used. */
      undo: async (request: Reference) => (await processor.reverse({ event: event(), requestEventId: request.eventId ?? '' })).payment,
      expire: async () => (await processor.expire({ event: event() })).payment,
      clear: async (amount: number, more: Partial<ClearInit> = {}) =>
        (await processor.clear({ event: event(), amount: euro(amount), merchant: SHOP, ...more })).payment,
      refund: async (amount: number) => (await processor.refund({ event: event(), amount: euro(amount), merchant: SHOP })).payment,
      reverseRefund: async (amount: number) =>
        (await processor.reverseRefund({ event: event(), amount: euro(amount), merchant: SHOP })).payment,
    };
  };

  /** The usage of a card this week or this month, whichever is more: a test that runs at midnight counts on. */
  const used = async (cardId: string): Promise<number> => {
    const { limits } = await payments.getCardLimits({ cardId });
    return Math.max(Number(limits?.weekly?.used), Number(limits?.monthly?.used));
  };

  return { processor, payments, payment, used, close: channel.close };
};

export type CardNetwork = ReturnType<typeof connectCardNetwork>;
