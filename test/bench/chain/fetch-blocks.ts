import { createJsonRpcClient } from '@florin/evm/chain';
import type { CaughtUp } from './catch-up.ts';
import type { ChainStage } from './stage.ts';

/** Requests at the same time. */
const READERS = 8;
const TIMEOUT_MS = 10_000;

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

type Header = { hash: string };

/** How many calls share a request. */
type Batches = { headers: number; blocksOfTransfers: number };

/** Fetches the headers and transfers of blocks, by the client of the service, without looking at them. @returns seconds that it took */
const fetchBlocks = async ({ node, contract }: ChainStage, { from, to }: CaughtUp, batches: Batches): Promise<number> => {
  const { call, callEach } = createJsonRpcClient(node.url, { maxBytes: Number.POSITIVE_INFINITY });
  const ask = async (method: string, paramsOfEach: readonly (readonly unknown[])[]): Promise<unknown[]> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const [alone = []] = paramsOfEach;
    return paramsOfEach.length === 1 ? [await call(method, alone, signal)] : callEach(method, paramsOfEach, signal);
  };
  let next = from;
  const waiting: Header[] = [];
  const reader = async (): Promise<void> => {
    for (;;) {
      if (waiting.length > 0) {
        const some = waiting.splice(0, batches.blocksOfTransfers);
        await ask(
          'eth_getLogs',
          some.map(({ hash }) => [{ blockHash: hash, address: [contract], topics: [TRANSFER] }]),
        );
      } else if (next <= to) {
        const numbers = Array.from({ length: Math.min(batches.headers, to - next + 1) }, (_, index) => next + index);
        next += numbers.length;
        const params = numbers.map((number) => [`0x${number.toString(16)}`, false]);
        waiting.push(...((await ask('eth_getBlockByNumber', params)) as Header[]));
      } else return;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: READERS }, reader));
  return (performance.now() - started) / 1000;
};

/** Each header and the transfers of each block by a request of their own. */
export const fetchSingly = (stage: ChainStage, range: CaughtUp): Promise<number> =>
  fetchBlocks(stage, range, { headers: 1, blocksOfTransfers: 1 });

/** In the batches in which the service asks. */
export const fetchAsService = (stage: ChainStage, range: CaughtUp): Promise<number> =>
  fetchBlocks(stage, range, { headers: 64, blocksOfTransfers: 8 });
