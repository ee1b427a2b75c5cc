import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeServer } from './close-server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

let server: Server;
let client: Socket;
let received: string;

/** Waits until the client has received a number of responses. */
const responses = async (count: number): Promise<void> => {
  while (received.split('HTTP/1.1 200').length - 1 < count) await once(client, 'data');
};

beforeEach(async () => {
  server = createServer((_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  received = '';
  client.on('data', (data) => {
    received += data.toString();
  });
  client.write(REQUEST);
  await responses(1);
});

afterEach(() => {
  client.destroy();
  server.close();
});

it('answers a request that has arrived but was not read yet', async () => {
  const ended = once(client, 'close');
  client.write(REQUEST);
  const closed = closeServer(server);
  await ended;
  await closed;
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

it('closes a connection without a request', async () => {
  const ended = once(client, 'close');
  await closeServer(server);
  await ended;
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
});

it('accepts no further connection', async () => {
  const { port } = server.address() as AddressInfo;
  await closeServer(server);
  const late = connect(port, '127.0.0.1');
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
