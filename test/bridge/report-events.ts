import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { EntryMode } from '@florin/proto/card/v1/payment';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { importJWK, type JWK, SignJWT } from 'jose';

const TOKEN_SECONDS = 240;
const CALL_MS = 5000;
/** Time that the network leaves for the answer to a request. */
const ANSWER_MS = 2000;
const PAUSES_MS = [100, 200, 400, 800];

/** Status codes after which the outcome is unknown: the event is sent again, with the same id and content. A broken connection shows as `Canceled`. */
const UNKNOWN: ReadonlySet<Code> = new Set([
  ...[Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Internal, Code.Unknown, Code.Canceled],
]);

/** A service token for the card service, as docs/platform-services.md specifies it. */
const signToken = async (key: JWK, scope: string): Promise<string> => {
  const name = key.kid ?? '';
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'florin-service+jwt', kid: name })
    .setIssuer(name)
    .setSubject(name)
    .setAudience('card')
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_SECONDS)
    .sign(await importJWK(key, 'EdDSA'));
};

const withToken = (key: JWK): Interceptor => {
  let current: { token: Promise<string>; until: number } | undefined;
  return (next) => async (request) => {
    if (current === undefined || Date.now() > current.until) {
      current = { token: signToken(key, 'card.payments.write'), until: Date.now() + (TOKEN_SECONDS - 60) * 1000 };
    }
    request.header.set('authorization', `Bearer ${await current.token}`);
    return next(request);
  };
};

const isUnknown = (error: unknown): boolean => error instanceof ConnectError && UNKNOWN.has(error.code);

const repeated = async <T>(call: () => Promise<T>): Promise<T> => {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isUnknown(error)) throw error;
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }
  return call();
};

/** The messages of the card network. Amounts are in cents. */
type NetworkPayment = { cardId: string; transactionId: string; amount: number; merchant: { id: string; name: string; country: string } };

/**
 * Processor → Florin: reports the events of the card network to `ProcessorService`. The id of an event is the network's, so that an event that the
 * network repeats is the same one here.
 * @param key private key of a client with the scope card.payments.write
 */
export const reportEvents = (cardUrl: string, key: JWK) => {
  const transport = createGrpcTransport({ baseUrl: cardUrl, interceptors: [withToken(key)], defaultTimeoutMs: CALL_MS });
  const processor = createClient(ProcessorService, transport);
  const euro = (amount: number) => ({ amount: String(amount), currency: 'EUR', decimals: 2 });

  /** Requests whose answers were not used, by event. A real bridge keeps them in its database until Florin has acknowledged the reversal. */
  const unused = new Map<string, Promise<void>>();
  /** Approvals that have reached the network, by event: acknowledged, so that Florin goes on holding the money. To be kept in the same way. */
  const used = new Map<string, Promise<void>>();
  let closed = false;
  const acknowledged = async (call: () => Promise<unknown>): Promise<void> => {
    while (!closed) {
      try {
        return void (await repeated(call));
      } catch (error) {
        if (!isUnknown(error)) throw error;
      }
    }
  };
  const reverse = ({ cardId, transactionId }: NetworkPayment, eventId: string): void => {
    if (unused.has(eventId)) return;
    const event = { eventId: `reversal-of-${eventId}`, transactionId, cardId };
    const done = acknowledged(() => processor.reverse({ event, requestEventId: eventId }));
    unused.set(eventId, done);
  };

  return {
    /**
     * Asks once: the network does not wait for a repeat. Without an answer in time the payment is declined, also when the network repeats it, and reversed:
     * Florin may have approved it.
     */
    authorize: async (payment: NetworkPayment, eventId: string = randomUUID(), timeoutMs: number = ANSWER_MS) => {
      const declined = { approved: false, responseCode: '91' };
      if (unused.has(eventId)) return declined;
      const { cardId, transactionId, amount, merchant } = payment;
      const event = { eventId, transactionId, cardId };
      const request = { event, amount: euro(amount), merchant, entryMode: EntryMode.ECOMMERCE };
      try {
        const { decision } = await processor.authorize(request, { timeoutMs });
        if (decision?.approved === true)
          used.set(
            eventId,
            acknowledged(() => processor.acknowledge({ eventId, transactionId })),
          );
        return { approved: decision?.approved === true, responseCode: decision?.responseCode ?? '96' };
      } catch (error) {
        if (!isUnknown(error)) throw error;
        reverse(payment, eventId);
        return declined;
      }
    },
    /** Reverses a request whose answer did not reach the network. */
    unused: reverse,
    /** Resolves when Florin has acknowledged all reversals. */
    reversed: async (): Promise<void> => {
      await Promise.all(unused.values());
    },
    clear: async ({ cardId, transactionId, amount, merchant }: NetworkPayment, eventId: string = randomUUID()) => {
      const event = { eventId, transactionId, cardId };
      await repeated(() => processor.clear({ event, amount: euro(amount), merchant }));
    },
    refund: async ({ cardId, transactionId, amount, merchant }: NetworkPayment, eventId: string = randomUUID()) => {
      const event = { eventId, transactionId, cardId };
      await repeated(() => processor.refund({ event, amount: euro(amount), merchant }));
    },
    close: async (): Promise<void> => {
      closed = true;
      await Promise.allSettled([...unused.values(), ...used.values()]);
    },
  };
};
