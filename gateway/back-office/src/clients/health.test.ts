import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createRpcChannel } from '@florin/rpc/client';
import { createTestAuthority, startNeighbour, testPort } from '@florin/rpc/testing';
import { afterEach, expect, it } from 'vitest';
import { healthOf } from './health.ts';

const releases: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

const healthAt = async (baseUrl: string, timeoutMs: number) => {
  const channel = createRpcChannel({ baseUrl, timeoutMs });
  releases.unshift(channel.close);
  return healthOf('card', channel);
};

it('tells that a service serves', async () => {
  const authority = await createTestAuthority({ card: [] });
  const { url, close } = await startNeighbour({ authority, name: 'card', services: [] });
  releases.unshift(close);
  expect(await healthAt(url, 20_000)).toEqual({ name: 'card', status: 'serving' });
});

it('tells a service that answers late from one that is away', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  releases.unshift(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  expect(await healthAt(`http://127.0.0.1:${port}`, 300)).toEqual({ name: 'card', status: 'late' });
  expect(await healthAt(`http://127.0.0.1:${await testPort()}`, 20_000)).toEqual({ name: 'card', status: 'unreachable' });
});
