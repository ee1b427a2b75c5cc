import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { EntryMode } from '@florin/proto/card/v1/payment';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { importJWK, type JWK, SignJWT } from 'jose';

const TOKEN_SECONDS = 240;
const CALL_MS = 5000;
const PAUSES_MS = [100, 200, 400, 800];

/** Status codes after which the outcome is unknown: the event is sent again, with the same id and content. */
const UNKNOWN: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Internal, Code.Unknown]);

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

const repeated = async <T>(call: () => Promise<T>): Promise<T> => {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectError) || !UNKNOWN.has(error.code)) throw error;
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

  return {
    authorize: async ({ cardId, transactionId, amount, merchant }: NetworkPayment, eventId: string = randomUUID()) => {
      const event = { eventId, transactionId, cardId };
      const request = { event, amount: euro(amount), merchant, entryMode: EntryMode.ECOMMERCE };
      const { decision } = await repeated(() => processor.authorize(request));
      return { approved: decision?.approved === true, responseCode: decision?.responseCode ?? '96' };
    },
    clear: async ({ cardId, transactionId, amount, merchant }: NetworkPayment, eventId: string = randomUUID()) => {
      const event = { eventId, transactionId, cardId };
      await repeated(() => processor.clear({ event, amount: euro(amount), merchant }));
    },
    refund: async ({ cardId, transactionId, amount, merchant }: NetworkPayment, eventId: string = randomUUID()) => {
      const event = { eventId, transactionId, cardId };
      await repeated(() => processor.refund({ event, amount: euro(amount), merchant }));
    },
  };
};
