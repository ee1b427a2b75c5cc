import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A process that receives webhooks: on one port it answers each with 200, on another one never. It sends how many have come, and when asked to, which ones when.
 */
export type ReceiverMessage =
  | { ports: { living: number; silent: number; closed: number } }
  /** Deliveries to the living port since the start, and those noted since the last message: id of the event, time in milliseconds since 1970. */
  | { received: number; noted: [string, number][] };

/** Time between two messages, in milliseconds. */
const TELL_MS = 25;

const listen = async (listener: RequestListener): Promise<{ port: number; close: () => Promise<void> }> => {
  const server = createServer({ keepAliveTimeout: 30_000 }, listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

let received = 0;
let notes = false;
let noted: [string, number][] = [];

const answer: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => {
    received += 1;
    if (notes) noted.push([String(request.headers['webhook-id']), performance.timeOrigin + performance.now()]);
    response.end();
  });
};

const send = (message: ReceiverMessage): void => void process.send?.(message);

const living = await listen(answer);
const silent = await listen((request) => void request.resume());
// A port on which nobody listens.
const closed = await listen(answer);
await closed.close();

process.on('message', (message: { notes: boolean }) => {
  notes = message.notes;
});
process.once('disconnect', () => process.exit(0));
send({ ports: { living: living.port, silent: silent.port, closed: closed.port } });
setInterval(() => {
  send({ received, noted });
  noted = [];
}, TELL_MS);
