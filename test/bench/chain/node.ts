import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Batch, createPreparedChain } from './prepared-chain.ts';

/**
 * The process of a node that serves prepared blocks, all of them final, over HTTP JSON-RPC. It does nothing else, so it is faster than any real node. Its
 * parent orders blocks in messages (`Batch`), each answered with the number of the newest block.
 */
const [token = '', chainId = ''] = process.argv.slice(2);
const chain = createPreparedChain(token);

type Filter = { blockHash?: string; topics?: readonly unknown[] };

const blockNumber = (tag: string): number => (tag.startsWith('0x') ? Number(tag) : chain.head());

/** @returns the result as JSON; undefined when there is none */
const answer = (method: string, params: readonly unknown[]): string | undefined => {
  const [first] = params;
  if (method === 'eth_chainId') return JSON.stringify(`0x${Number(chainId).toString(16)}`);
  if (method === 'eth_blockNumber') return JSON.stringify(`0x${chain.head().toString(16)}`);
  if (method === 'eth_getBlockByNumber') return chain.header(blockNumber(String(first)));
  if (method === 'eth_getTransactionReceipt') return chain.receipt(String(first));
  if (method !== 'eth_getLogs') return undefined;
  const { blockHash = '', topics = [] } = first as Filter;
  const logs = chain.transferLogs(blockHash);
  // A list of topics asks for changes of control, of which there are none.
  return logs !== undefined && Array.isArray(topics[0]) ? '[]' : logs;
};

type Call = { id: number; method: string; params: unknown[] };

const reply = ({ id, method, params }: Call): string => {
  const result = answer(method, params);
  const outcome = result === undefined ? `"error":{"code":-32000,"message":"not known"}` : `"result":${result}`;
  return `{"jsonrpc":"2.0","id":${id},${outcome}}`;
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const body = Array.isArray(calls) ? `[${calls.map(reply).join(',')}]` : reply(calls);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', (batch: Batch) => {
  chain.add(batch);
  process.send?.(chain.head());
});
// The parent has ended, however it ended.
process.on('disconnect', () => process.exit());
