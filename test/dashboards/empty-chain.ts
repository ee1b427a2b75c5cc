import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { bind } from '@florin/rpc/process';

type Call = { id: number; method: string; params: unknown[] };

const SECONDS_PER_BLOCK = 5;

const hex = (value: number): string => `0x${value.toString(16)}`;
const hashOf = (number: number): string => `0x${createHash('sha256').update(`block ${number}`).digest('hex')}`;
const latest = (): number => Math.floor(Date.now() / 1000 / SECONDS_PER_BLOCK);

const blockOf = (number: number): object => ({
  number: hex(number),
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: hex(number * SECONDS_PER_BLOCK),
});

const answerTo = (chainId: number, { method, params: [first] }: Call): unknown => {
  if (method === 'eth_chainId') return hex(chainId);
  if (method === 'eth_blockNumber') return hex(latest());
  if (method === 'eth_getLogs') return [];
  if (method !== 'eth_getBlockByNumber') return '0x';
  return blockOf(/^0x/.test(String(first)) ? Number(first) : latest());
};

/** A node of a chain on which blocks are final at once, and nothing happens. */
export const startEmptyChain = async (chainId: number): Promise<{ url: string; close: () => void }> => {
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        const call = body as Call | Call[];
        const one = (asked: Call) => ({ jsonrpc: '2.0', id: asked.id, result: answerTo(chainId, asked) });
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(Array.isArray(call) ? call.map(one) : one(call)));
      },
      () => response.writeHead(400).end(),
    );
  });
  const { url } = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
