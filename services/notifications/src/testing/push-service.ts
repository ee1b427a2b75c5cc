import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decrypt } from 'http_ece';
import { importJWK, jwtVerify } from 'jose';

/** A message as a device shows it. */
export type Shown = { title: string; body: string; tag: string; path: string; language: string; urgent: boolean };

/** A message as the push service takes it in, with what the device reads. */
export type Pushed = { device: string; topic: string; urgency: string; ttl: number; shown: Shown; at: number };

type Keys = { p256dh: string; auth: string };
type Answer = { status: number; retryAfter?: string };

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** The public key of a VAPID header as a JWK: an uncompressed point. */
const toJwk = (key: string) => {
  const point = Buffer.from(key, 'base64url');
  return { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
};

/**
 * A push service as browsers have one: takes messages in (RFC 8030), verifies who sends them (RFC 8292), and delivers them to devices, which decrypt them (RFC 8291). A
 * request that does not keep a rule is answered with 400, and noted.
 */
export const startPushService = async () => {
  const devices = new Map<string, { keys: Keys; privateKey: ReturnType<typeof createECDH>; auth: string }>();
  const pushed: Pushed[] = [];
  const faults: string[] = [];
  let answer: (device: string) => Answer = () => ({ status: 201 });

  const requireSender = async ({ headers }: IncomingMessage): Promise<void> => {
    const [, token = '', key = ''] = /^vapid t=([^,\s]+),\s*k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
    const { payload } = await jwtVerify(token, await importJWK(toJwk(key), 'ES256'), { audience: url });
    if (!/^(?:mailto:|https:)/.test(String(payload.sub))) throw new Error('the sender names no contact');
    if ((payload.exp ?? 0) - Date.now() / 1000 > 86_400) throw new Error('the token is valid for more than a day');
  };

  const takeIn = async (request: IncomingMessage): Promise<Answer> => {
    const device = (request.url ?? '').slice('/push/'.length);
    const body = await readBody(request);
    const known = devices.get(device);
    const given = answer(device);
    if (known === undefined) return { status: 404 };
    if (given.status !== 201) return given;
    await requireSender(request);
    const { headers } = request;
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('the message is not encrypted');
    const text = decrypt(body, { version: 'aes128gcm', privateKey: known.privateKey, authSecret: known.auth }).toString('utf8');
    pushed.push({
      device,
      topic: String(headers['topic']),
      urgency: String(headers['urgency']),
      ttl: Number(headers['ttl']),
      shown: JSON.parse(text) as Shown,
      at: performance.now(),
    });
    return given;
  };

  const server = createServer((request, response) => {
    takeIn(request).then(
      ({ status, retryAfter }) => response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(),
      (error: unknown) => {
        faults.push(String(error));
        response.writeHead(400).end();
      },
    );
  });
  // The server ends no idle connection: a message that meets its end fails, and is repeated by a clock that tests move.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    pushed,
    faults,
    /** The messages that a device has received, oldest first. */
    shownOn: (device: string): Shown[] => pushed.filter((one) => one.device === device).map(({ shown }) => shown),
    /** Subscribes a new device, as `pushManager.subscribe` does. */
    subscribe: () => {
      const device = randomBytes(9).toString('base64url');
      const privateKey = createECDH('prime256v1');
      privateKey.generateKeys();
      const auth = randomBytes(16).toString('base64url');
      const keys = { p256dh: privateKey.getPublicKey('base64url'), auth };
      devices.set(device, { keys, privateKey, auth });
      return { device, subscription: { endpoint: `${url}/push/${device}`, keys } };
    },
    /** Sets what the push service answers from now on; by default it takes everything in. */
    setAnswer: (next: (device: string) => Answer = () => ({ status: 201 })) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type PushService = Awaited<ReturnType<typeof startPushService>>;
