import { createJsonRpcClient } from '@florin/evm/chain';
import type { CaughtUp } from './catch-up.ts';
import type { ChainStage } from './stage.ts';

/** Queries at the same time, as the service reads. */
const READERS = 8;
/** Headers per request where they share one, as in the service. */
const HEADERS_PER_REQUEST = 64;
const TIMEOUT_MS = 10_000;

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

type Header = { hash: string };

/** Fetches the headers and transfers of blocks, by the client of the service, without looking at them. @returns seconds that it took */
const fetchBlocks = async ({ node, contract }: ChainStage, { from, to }: CaughtUp, perRequest: number): Promise<number> => {
  const { call, callEach } = createJsonRpcClient(node.url);
  const headersOf = async (numbers: readonly number[]): Promise<Header[]> => {
    const params = numbers.map((number) => [`0x${number.toString(16)}`, false]);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const [alone = []] = params;
    if (params.length === 1) return [(await call('eth_getBlockByNumber', alone, signal)) as Header];
    return (await callEach('eth_getBlockByNumber', params, signal)) as Header[];
  };
  let next = from;
  const waiting: Header[] = [];
  const reader = async (): Promise<void> => {
    for (;;) {
      const header = waiting.shift();
      if (header !== undefined) {
        const filter = { blockHash: header.hash, address: [contract], topics: [TRANSFER] };
        await call('eth_getLogs', [filter], AbortSignal.timeout(TIMEOUT_MS));
      } else if (next <= to) {
        const numbers = Array.from({ length: Math.min(perRequest, to - next + 1) }, (_, index) => next + index);
        next += numbers.length;
        waiting.push(...(await headersOf(numbers)));
      } else return;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: READERS }, reader));
  return (performance.now() - started) / 1000;
};

/** Each header and the transfers of each block by a request of their own. */
export const fetchSingly = (stage: ChainStage, range: CaughtUp): Promise<number> => fetchBlocks(stage, range, 1);

/** As the service asks: many headers share a request. */
export const fetchAsService = (stage: ChainStage, range: CaughtUp): Promise<number> => fetchBlocks(stage, range, HEADERS_PER_REQUEST);
