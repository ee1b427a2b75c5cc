import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJsonRpcClient } from '@florin/evm/chain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAskEach } from './ask-each.ts';
import { quantity } from './json-rpc-values.ts';

type Call = { id: number; method: string; params: string[] };
type Node = (calls: Call | Call[]) => unknown;

const resultOf = ({ id, params }: Call) => ({ jsonrpc: '2.0', id, result: params[0] });
const FAILURE = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } };

describe('asking a node in batches', () => {
  let node: Node;
  let requests: (Call | Call[])[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    requests.push(calls);
    response.end(JSON.stringify(node(calls)));
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    requests = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const numbers = Array.from({ length: 70 }, (_, index) => index);
  const askAll = () => {
    const askEach = createAskEach(createJsonRpcClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    const params = numbers.map((number) => [`0x${number.toString(16)}`]);
    return askEach('eth_echo', params, quantity);
  };

  it('returns the results in the order of the calls, whatever the order of the replies', async () => {
    node = (calls) => [calls].flat().map(resultOf).reverse();
    expect(await askAll()).toEqual(numbers);
    expect(requests.map((calls) => [calls].flat().length)).toEqual([64, 6]);
  });

  it('asks a node that takes no batches call by call', async () => {
    node = (calls) => (Array.isArray(calls) ? FAILURE : resultOf(calls));
    expect(await askAll()).toEqual(numbers);
  });

  it('asks again what a node left out of its reply', async () => {
    node = (calls) => (Array.isArray(calls) ? calls.slice(1).map(resultOf) : resultOf(calls));
    expect(await askAll()).toEqual(numbers);
  });

  it('fails when one of the calls does', async () => {
    const answer = (call: Call) => (call.params[0] === '0x5' ? { ...FAILURE, id: call.id } : resultOf(call));
    node = (calls) => (Array.isArray(calls) ? calls.map(answer) : answer(calls));
    await expect(askAll()).rejects.toThrow('eth_echo failed with error -32600');
  });

  it('fails when a result has another form', async () => {
    const answer = (call: Call) => ({ ...resultOf(call), result: call.params[0] === '0x5' ? null : '0x1' });
    node = (calls) => (Array.isArray(calls) ? calls.map(answer) : answer(calls));
    await expect(askAll()).rejects.toThrow('eth_echo returned a result of an unknown form');
  });
});
