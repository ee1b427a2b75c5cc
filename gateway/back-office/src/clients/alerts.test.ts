import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Overview } from '../contract/index.ts';
import { createWorld, type World } from '../testing/world.ts';

/** The answer of Prometheus; undefined: it is broken. */
let alerts: object[] | undefined = [];
const asked: string[] = [];
const prometheus = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(alerts === undefined ? 503 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ status: 'success', data: { alerts } }));
});

let world: World;
let other: World;
const read = async (of: World): Promise<Overview> => {
  const viewer = await (await of.start()).operator('viewer');
  return (await viewer.ask('GET /api/overview')).body as Overview;
};
beforeAll(async () => {
  await once(prometheus.listen(0, '127.0.0.1'), 'listening');
  const { port } = prometheus.address() as AddressInfo;
  world = await createWorld({ PROMETHEUS_URL: `http://127.0.0.1:${port}/prometheus/` });
  other = await createWorld();
});
afterAll(async () => {
  await world?.close();
  await other?.close();
  prometheus.close();
});

const alert = (alertname: string, activeAt: string, more: object = {}) => ({
  ...{ labels: { alertname, severity: 'page' }, annotations: { summary: `${alertname} it is` }, state: 'firing', activeAt, value: '1e+00' },
  ...more,
});

it('tells which objectives are missed, the longest first, and of which service', async () => {
  expect(await read(world)).toMatchObject({ alerts: [] });
  expect(asked).toEqual(['/prometheus/api/v1/alerts']);
  alerts = [
    alert('RpcFaults', '2026-11-29T01:00:00.5Z', { labels: { alertname: 'RpcFaults', severity: 'page', job: 'card' } }),
    alert('RequestsSlow', '2026-11-29T00:30:00Z', { annotations: {} }),
    alert('NotReady', '2026-11-29T00:00:00Z', { state: 'pending' }),
  ];
  expect((await read(world)).alerts).toEqual([
    { name: 'RequestsSlow', severity: 'page', summary: '', since: '2026-11-29T00:30:00.000Z' },
    { name: 'RpcFaults', severity: 'page', summary: 'RpcFaults it is', since: '2026-11-29T01:00:00.500Z', service: 'card' },
  ]);
});

it('says that they are not known when Prometheus does not answer, and nothing where there is none', async () => {
  alerts = undefined;
  const unknown = await read(world);
  expect(unknown).not.toHaveProperty('alerts');
  expect(unknown.unavailable).toContain('alerts');
  const without = await read(other);
  expect(without).not.toHaveProperty('alerts');
  expect(without.unavailable).not.toContain('alerts');
});
