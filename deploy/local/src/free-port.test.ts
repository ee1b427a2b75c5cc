import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, isPortFree } from './free-port.ts';

it('distinguishes a free port from one that is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await isPortFree((server.address() as { port: number }).port)).toBe(false);
  expect(await isPortFree(await freePort())).toBe(true);
});

it('returns each port once, outside the range of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});
