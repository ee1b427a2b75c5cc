import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJsonRpcServer } from './json-rpc-server.ts';

const paid: unknown[] = [];
const server = createJsonRpcServer(async (method, params) => {
  if (method !== 'florin_faucet') throw new Error(`the method ${method} is not available`);
  paid.push(params);
  return '0x1';
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

const PAY = { jsonrpc: '2.0', id: 7, method: 'florin_faucet', params: ['0x0', 'COIN', '1'] };

const post = async (headers: Readonly<Record<string, string>>, body: unknown = PAY) => {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
  sent.end(JSON.stringify(body));
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return { status: response.statusCode as number, text };
};

it.each([
  ['a program', {}],
  ['a program that uses a name', { host: 'localhost:8545' }],
  ['an extension of a browser', { origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn' }],
  ['a page of this machine', { origin: 'http://localhost:3000', 'content-type': 'application/json; charset=utf-8' }],
])('serves %s', async (_who, headers) => {
  paid.length = 0;
  const { status, text } = await post(headers);
  expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: '2.0', id: 7, result: '0x1' }]);
  expect(paid).toHaveLength(1);
});

it.each([
  ['a page of the web', { origin: 'https://evil.example' }],
  ['a page without an origin of its own', { origin: 'null' }],
  ['a page whose name was pointed at this machine', { host: 'evil.example:8545', origin: 'http://evil.example:8545' }],
  ['a name that was pointed at this machine, without an origin', { host: 'evil.example:8545' }],
  ['a form', { 'content-type': 'text/plain' }],
  ['a name that begins like this machine', { host: '127.0.0.1.evil.example' }],
])('does nothing for %s', async (_who, headers) => {
  paid.length = 0;
  expect((await post(headers)).status).toBe(403);
  expect(paid).toEqual([]);
});

it('responds to each call of a batch, with the error of one that fails', async () => {
  const { text } = await post({}, [PAY, { ...PAY, id: 8, method: 'evm_mine' }, 'x']);
  expect(JSON.parse(text)).toMatchObject([
    { id: 7, result: '0x1' },
    { id: 8, error: { code: -32000 } },
    { id: null, error: { code: -32600 } },
  ]);
});
