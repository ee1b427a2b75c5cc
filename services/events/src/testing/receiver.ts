import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A delivery as a receiver sees it. */
export type Received = {
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
  /** The envelope. */
  body: {
    id: string;
    type: string;
    subject: string;
    sequence: number;
    previousSequence: number;
    subjectSequence: number;
    endpointId: string;
    data: Record<string, unknown>;
  };
};

/** Answers a delivery. */
type Answer = (received: Received, response: ServerResponse) => unknown;

const ok: Answer = (_received, response) => response.end('{}');

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** A partner's server that records what it receives. */
export const startReceiver = async (createListener: (listener: RequestListener) => Server = createServer) => {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let answer: Answer = ok;
  const server = createListener((request, response) => {
    readText(request).then(
      (text) => {
        const one = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as Received['body'] };
        received.push(one);
        return answer(one, response);
      },
      () => response.destroy(),
    );
  });
  // The server ends no idle connection: a delivery that meets its end fails, and is repeated by a clock that tests move.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    connections: () => sockets.size,
    answerWith: (next: Answer = ok) => {
      answer = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
