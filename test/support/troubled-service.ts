import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How a service fails: it closes connections, does not respond, does what is asked and does not respond, responds with what is no message, or
 * responds with a message that breaks off.
 */
export type Trouble = 'none' | 'down' | 'silent' | 'mute' | 'rubbish' | 'truncated';

/** An HTTP proxy in front of a service, which can make it fail. */
export const startTroubledService = async (target: string) => {
  let trouble: Trouble = 'none';
  let requests = 0;
  let heard = 0;
  let unsaid = 0;

  const pass = (request: IncomingMessage, response: ServerResponse, { isMute }: { isMute: boolean }): void => {
    const upstream = forward(target + (request.url ?? ''), { method: request.method, headers: request.headers }, (answer) => {
      if (isMute) {
        answer.resume().on('end', () => {
          unsaid += 1;
        });
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    if (isMute) {
      // It does what it has heard, also when nobody waits for the answer any more.
      request.on('end', () => {
        heard += 1;
      });
    } else response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  };

  const server = createServer((request, response) => {
    requests += 1;
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (trouble === 'none' || trouble === 'mute') pass(request, response, { isMute: trouble === 'mute' });
    if (trouble === 'down') response.destroy();
    if (trouble === 'rubbish') {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/proto' }).end(Buffer.from('<html>not a message</html>'));
    }
    if (trouble === 'truncated') {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/proto', 'content-length': '100' });
      response.write('\n', () => response.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next: Trouble) => {
      trouble = next;
    },
    /** Requests so far, retries included. */
    requests: () => requests,
    /** Requests that a mute service has heard to their end. */
    heard: () => heard,
    /** Requests that a mute service has carried out. */
    unsaid: () => unsaid,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
