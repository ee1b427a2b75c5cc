import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { CardOrders, Message } from './card-orders.ts';

const MAX_BYTES = 64 * 1024;

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the message is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The message, if the key has signed it in the last five minutes. */
const verified = (webhook: Webhook, request: IncomingMessage, body: string): Message | undefined => {
  try {
    return webhook.verify(body, request.headers as Record<string, string>) as Message;
  } catch {
    return undefined;
  }
};

/** How the bridge treats its next messages: `lost` carries them out and breaks the connection, `down` does nothing. */
export type Trouble = 'none' | 'down' | 'lost';

type ReceiverOptions = { secret: string; orders: CardOrders };

/**
 * Florin → processor: takes signed messages at `POST /`. Status 200 with an outcome is the only answer that ends a message; after every other one Florin
 * sends it again.
 */
export const receiveMessages = async ({ secret, orders }: ReceiverOptions) => {
  const webhook = new Webhook(secret);
  const received: { id: string; type: string }[] = [];
  let trouble: Trouble = 'none';

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    const message = verified(webhook, request, body);
    if (trouble === 'down') return void response.writeHead(503).end();
    if (message === undefined) return void response.writeHead(401).end();
    received.push({ id: String(request.headers['webhook-id']), type: message.type });
    const outcome = await orders.carryOut(message);
    if (trouble === 'lost') return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ outcome }));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Messages with a valid signature, in the order of arrival, repeats included. */
    received,
    setTrouble: (next: Trouble) => {
      trouble = next;
    },
    close: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
