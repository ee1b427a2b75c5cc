import type { createJsonRpcClient } from '@florin/evm/chain';
import type { z } from 'zod';
import { createAsk, parseResult, REQUEST_TIMEOUT_MS } from './json-rpc-values.ts';
import { mapBounded } from './map-bounded.ts';

/** Calls of a batch: fewer than common nodes take by default (Erigon 100, Geth 1,000, Nethermind 1,024). */
const BATCH = 64;

/** Calls at the same time to a node that takes no batches. */
const CONCURRENCY = 8;

/** Calls one method several times, and reads the results, in the order of the calls. */
export type AskEach = <S extends z.ZodType>(
  method: string,
  paramsOfEach: readonly (readonly unknown[])[],
  schema: S,
) => Promise<z.output<S>[]>;

/** Asks in batches. A node that does not answer a batch is asked call by call: some nodes take no batches, and single calls tell which one failed. */
export const createAskEach = ({ call, callEach }: ReturnType<typeof createJsonRpcClient>): AskEach => {
  const ask = createAsk(call);
  const askBatch: AskEach = async (method, paramsOfEach, schema) => {
    const results = await callEach(method, paramsOfEach, AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    return results.map((result) => parseResult(method, result, schema));
  };
  return async (method, paramsOfEach, schema) => {
    const found: z.output<typeof schema>[] = [];
    for (let start = 0; start < paramsOfEach.length; start += BATCH) {
      const some = paramsOfEach.slice(start, start + BATCH);
      const oneByOne = () => mapBounded(some, CONCURRENCY, (params) => ask(method, params, schema));
      found.push(...(await (some.length === 1 ? oneByOne() : askBatch(method, some, schema).catch(oneByOne))));
    }
    return found;
  };
};
