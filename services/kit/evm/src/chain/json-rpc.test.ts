import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJsonRpc } from './json-rpc.ts';

const KIB = 'x'.repeat(1024);

describe('the limits of responses', () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.write(KIB);
    waiting.push(response);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('hold for one response', async () => {
    const call = createJsonRpc(urlOf(), { maxBytes: 1000 });
    await expect(call('eth_chainId', [], AbortSignal.timeout(20_000))).rejects.toThrow('exceeds 1000 bytes');
  });

  it('hold for all responses that are received at the same time', async () => {
    const call = createJsonRpc(urlOf(), { maxBytes: 2000, maxBytesAtOnce: 3000 });
    const stop = new AbortController();
    const calls = Array.from({ length: 3 }, () => call('eth_chainId', [], AbortSignal.any([stop.signal, AbortSignal.timeout(20_000)])));
    await expect(Promise.race(calls)).rejects.toThrow('together exceed 3000 bytes');
    stop.abort();
    await Promise.allSettled(calls);

    // A batch that has ended does not count.
    const alone = call('eth_chainId', [], AbortSignal.timeout(20_000));
    await Promise.race([once(server, 'request'), alone]);
    waiting.at(-1)?.end(KIB);
    await expect(alone).rejects.toThrow('exceeds 2000 bytes');
  });
});
