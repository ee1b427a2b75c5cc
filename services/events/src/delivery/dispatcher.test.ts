import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { createTestCa } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addressRule } from '../guard/public-address.ts';
import { startReceiver } from '../testing/receiver.ts';
import { createDispatcher, type Resolve } from './dispatcher.ts';
import { createSend } from './send.ts';

const SIGNERS = { secrets: [new Uint8Array(32)], key: generateKeyPairSync('ed25519').privateKey };
const MESSAGE = { id: 'event-1', type: 'card.issued', sequence: 1, body: '{"id":"event-1"}' };
const TIMEOUT_MS = 20_000;

let ca: Awaited<ReturnType<typeof createTestCa>>;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  ca = await createTestCa();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => ca.close());

type Options = { allowsLoopback?: boolean; resolve?: Resolve; ca?: string; proxyUrl?: string };

const sender = ({ allowsLoopback = false, resolve = async () => ['127.0.0.1'], ...more }: Options = {}) => {
  const isAllowed = addressRule(allowsLoopback);
  const dispatcher = createDispatcher({ isAllowed, resolve, connectTimeoutMs: TIMEOUT_MS, proxyUrl: undefined, ca: undefined, ...more });
  closers.push(() => dispatcher.destroy());
  const send = createSend({ dispatcher, isAllowed, now: () => new Date(), timeoutMs: TIMEOUT_MS });
  return (url: string) => send(url, MESSAGE, SIGNERS);
};

const plainReceiver = async () => {
  const receiver = await startReceiver();
  closers.push(receiver.close);
  return receiver;
};

/** A receiver with a certificate for some names. */
const tlsReceiver = async (names: readonly string[]) => {
  const files = await ca.issue(names);
  const tls = { cert: readFileSync(files.TLS_CERT), key: readFileSync(files.TLS_KEY) };
  const receiver = await startReceiver((listener) => createServer(tls, listener) as unknown as ReturnType<typeof createPlainServer>);
  closers.push(receiver.close);
  return { ...receiver, authority: readFileSync(files.TLS_CA, 'utf8') };
};

describe('a connection to a receiver', () => {
  it('goes to the address that was checked, and verifies the name of the certificate', async () => {
    const { port, received, authority } = await tlsReceiver(['hooks.acme.com']);
    const asked: string[] = [];
    const resolve: Resolve = async (name) => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    const send = sender({ allowsLoopback: true, resolve, ca: authority });
    expect(await send(`https://hooks.acme.com:${port}/florin?x=1`)).toMatchObject({ status: 200, failure: '' });
    expect(received[0]?.path).toBe('/florin?x=1');
    expect(asked).toEqual(['hooks.acme.com']);
    expect(await send(`https://other.acme.com:${port}/`)).toMatchObject({ status: 0, failure: 'tls_failed' });
    expect(await sender({ allowsLoopback: true, resolve })(`https://hooks.acme.com:${port}/`)).toMatchObject({ failure: 'tls_failed' });
    expect(received).toHaveLength(1);
  });

  it('is there for a partner whatever others have under way with the same receiver', async () => {
    const { url, received, answerWith } = await plainReceiver();
    const send = sender({ allowsLoopback: true });
    const held: ServerResponse[] = [];
    answerWith((_received, response) => held.push(response));
    const sent = Array.from({ length: 65 }, () => send(url));
    await expect.poll(() => received.length, { timeout: TIMEOUT_MS }).toBe(65);
    for (const response of held) response.end();
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is not made to a name with an address that is not public, whatever its other addresses are', async () => {
    const receiver = await plainReceiver();
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['169.254.169.254'],
      ['2606:4700::1111', 'fd00::1'],
    ]) {
      const send = sender({ resolve: async () => addresses });
      expect(await send(`http://hooks.acme.com:${receiver.port}/`)).toMatchObject({ status: 0, failure: 'address_forbidden' });
    }
    expect(receiver.connections()).toBe(0);
  });

  it('is not made to a name that is public when it is checked first and private afterwards', async () => {
    const receiver = await plainReceiver();
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '10.0.0.1']];
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return answers[asked - 1] ?? [];
    };
    // Loopback stands in for a public address here.
    const send = sender({ allowsLoopback: true, resolve });
    expect(await send(`http://hooks.acme.com:${receiver.port}/`)).toMatchObject({ status: 200 });
    await receiver.close();
    closers.splice(closers.indexOf(receiver.close), 1);
    await expect.poll(() => send('http://hooks.acme.com:1/'), { timeout: TIMEOUT_MS }).toMatchObject({ failure: 'address_forbidden' });
    expect(await send('http://hooks.acme.com:1/')).toMatchObject({ failure: 'address_forbidden' });
    expect(asked).toBe(3);
  });

  it.each(['http://127.0.0.1', 'http://[::1]', 'http://[::ffff:127.0.0.1]', 'http://2130706433', 'http://127.1', 'http://0'])(
    'is not made to %s, which needs no look-up',
    async (origin) => {
      const receiver = await plainReceiver();
      expect(await sender()(`${origin}:${receiver.port}/`)).toMatchObject({ status: 0, failure: 'address_forbidden' });
      expect(receiver.connections()).toBe(0);
    },
  );

  it('is not made for a message that cannot be signed, which is no failure of the receiver', async () => {
    const { url, received } = await plainReceiver();
    const isAllowed = addressRule(true);
    const dispatcher = createDispatcher({ isAllowed, resolve: async () => [], connectTimeoutMs: TIMEOUT_MS });
    closers.push(() => dispatcher.destroy());
    const send = createSend({ dispatcher, isAllowed, now: () => new Date(), timeoutMs: TIMEOUT_MS });
    const { publicKey } = generateKeyPairSync('ed25519');
    await expect(send(url, MESSAGE, { ...SIGNERS, key: publicKey })).rejects.toThrow();
    expect(received).toEqual([]);
  });

  it('fails with a word that says why', async () => {
    const { port } = await plainReceiver();
    const closed = createTcpServer((socket) => socket.destroy());
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    closers.push(async () => {
      closed.close();
      await once(closed, 'close');
    });
    const notFound: Resolve = async () => [];
    const failing: Resolve = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' }));
    expect(await sender({ resolve: notFound })('https://hooks.acme.com/')).toMatchObject({ failure: 'name_not_found' });
    expect(await sender({ resolve: failing })('https://hooks.acme.com/')).toMatchObject({ failure: 'timeout' });
    const send = sender({ allowsLoopback: true });
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ failure: 'tls_failed' });
    expect(await send(`http://127.0.0.1:${(closed.address() as AddressInfo).port}/`)).toMatchObject({ failure: 'connection_closed' });
  });

  it('goes through a proxy where one is configured', async () => {
    const receiver = await tlsReceiver(['hooks.acme.com']);
    const asked: string[] = [];
    const proxy = createPlainServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const out = connect(receiver.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        out.pipe(socket).pipe(out);
      });
      out.on('error', () => socket.destroy());
      socket.on('error', () => out.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    closers.push(async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    });
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const send = sender({ proxyUrl, ca: receiver.authority });
    expect(await send('https://hooks.acme.com/florin')).toMatchObject({ status: 200 });
    expect(asked).toEqual(['hooks.acme.com:443']);
    expect(await send('https://10.0.0.1/')).toMatchObject({ failure: 'address_forbidden' });
    expect(asked).toHaveLength(1);
  });
});
