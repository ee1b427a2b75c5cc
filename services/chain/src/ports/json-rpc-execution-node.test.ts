import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from '@florin/evm/hex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJsonRpcExecutionNode } from './json-rpc-execution-node.ts';

const [CONTRACT, TOPIC]: [Hex, Hex] = [`0x${'c'.repeat(40)}`, `0x${'7'.repeat(64)}`];

/** Events in one block: those of two exceed what is read of a response. */
const EVENTS = 900;

const eventIn = (blockNumber: number) => ({
  address: CONTRACT,
  topics: [TOPIC],
  data: `0x${'1'.repeat(256)}`,
  blockNumber: `0x${blockNumber.toString(16)}`,
});

const server = createServer(async (request, response) => {
  const { id, params } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const result = numbers.flatMap((number) => Array.from({ length: EVENTS }, () => eventIn(number)));
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('reads block by block the events that exceed a response, however few blocks they are in', async () => {
  const node = createJsonRpcExecutionNode(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await node.events(CONTRACT, [TOPIC], { from: 5, to: 8 })).toHaveLength(4 * EVENTS);
  await expect(node.events(CONTRACT, [TOPIC], { from: 5, to: 20 })).rejects.toThrow('more than 10000 events');
});
