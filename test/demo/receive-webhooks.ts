import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { createFeedChecker, createWebhookVerifier, type Event, isEvent, publishedKeys } from '@florin/webhooks';

/** Calls an RPC of the events service as the partner's back office, over the Connect protocol. */
export type BackOfficeCall = <R>(rpc: string, request: object) => Promise<R>;

export type WebhookOptions = {
  call: BackOfficeCall;
  /** Clock of the platform, in milliseconds since 1970. Default: this machine's. */
  now?: (() => number) | undefined;
};

export type WebhookReceiver = {
  /** Waits until these events were delivered, and proves that none is missing. @returns how many were delivered, of all users of the partner */
  check: (events: readonly Event[]) => Promise<number>;
  /** Deletes the endpoint. */
  close: () => Promise<void>;
};

/** Partner of the users of the demo. */
const PARTNER = 'florin';

const WAIT_MS = 60_000;

const ENDPOINTS = 'florin.events.v1.WebhookEndpointService';

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** A server of the partner on this machine, to which the platform delivers the partner's events from now on. */
export const receiveWebhooks = async (url: string, { call, now }: WebhookOptions): Promise<WebhookReceiver> => {
  let handle = async (_request: IncomingMessage, response: ServerResponse): Promise<void> => void response.writeHead(503).end();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => void response.writeHead(400).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  try {
    const { checkpoint } = await call<{ checkpoint?: { sequence?: string } }>('florin.events.v1.FeedService/ListEvents', {
      partnerId: PARTNER,
      limit: 1,
    });
    const after = `${PARTNER}:${checkpoint?.sequence ?? 0}`;
    const { endpoint, secret } = await call<{ endpoint: { id: string }; secret: string }>(`${ENDPOINTS}/CreateWebhookEndpoint`, {
      requestId: randomUUID(),
      partnerId: PARTNER,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
      description: 'npm run demo',
      after,
    });
    const verify = createWebhookVerifier({
      secrets: [secret],
      keys: publishedKeys(`${url}/.well-known/webhooks/jwks.json`),
      endpointId: endpoint.id,
      ...(now === undefined ? {} : { now }),
    });
    const checker = createFeedChecker({ after });
    const delivered = new Set<string>();
    handle = async (request, response) => {
      const { message } = await verify(await readText(request), request.headers);
      if (isEvent(message) && message.sequence > 0) {
        assert.notEqual(checker.take(message), 'late', `${message.subject} came out of order`);
        delivered.add(message.id);
      }
      response.end();
    };
    return {
      check: async (events) => {
        const isThere = async () => (events.every(({ id }) => delivered.has(id)) && checker.gaps().length === 0 ? true : undefined);
        await waitFor('every event of the story at the receiver of webhooks', isThere, WAIT_MS);
        assert(checker.completeTo() >= (events.at(-1)?.sequence ?? 0), 'a delivery is missing');
        return delivered.size;
      },
      close: async () => {
        await call(`${ENDPOINTS}/DeleteWebhookEndpoint`, { partnerId: PARTNER, endpointId: endpoint.id });
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
};
