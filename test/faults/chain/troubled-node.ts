import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { bind } from '@florin/rpc/process';
import type { MovingBlocks } from './moving-blocks.ts';

type Call = { id: number; method: string; params: unknown[] };
type Reply = { result?: unknown; error?: { code: number; message: string } };

/** Of all calls, this many fail, and of those of the node that lies this many are answered with a lie. */
const SHARE = 0.02;
/** The fault of one of three nodes besides failing, so that two of them agree. */
export const ROLES = ['liar', 'laggard', 'honest'] as const;

/** Of the calls of the node that lags, this many are answered as of an older block. */
const LAGGING = 0.2;
/** Blocks that the node is behind at most when it lags. */
const MAX_LAG = 3;

const hex = (value: number): string => `0x${value.toString(16)}`;

/** Another value of the same form. */
const altered = (digits: string): string => `${digits.slice(0, -1)}${digits.endsWith('1') ? '2' : '1'}`;

type Lie = (result: unknown) => unknown;

/** The forged results of a lying node, each of the expected form. */
const LIES: Readonly<Record<string, Lie>> = {
  eth_getLogs: (logs) => (logs as unknown[]).slice(1),
  eth_getBlockByNumber: (block) => (block === null ? null : { ...(block as object), hash: altered((block as { hash: string }).hash) }),
  eth_getTransactionReceipt: (receipt) =>
    receipt === null ? null : { ...(receipt as object), blockHash: altered((receipt as { blockHash: string }).blockHash) },
  eth_call: (bytes) => altered(bytes as string),
};

export type TroubledNode = {
  url: string;
  /** Troubles so far, by kind. */
  troubles: () => { failed: number; lagged: number; lied: number };
  close: () => Promise<void>;
};

/**
 * A node in front of the local chain, which at times fails, and lies or lags if that is its role.
 * @param random uniform in [0, 1)
 * @param calm whether it does nothing of that at present
 * @param blocks the chain's, which are not replaced while a request is answered
 */
export const startTroubledNode = async (
  realUrl: string,
  {
    random,
    role,
    calm,
    blocks,
  }: { random: () => number; role: (typeof ROLES)[number]; calm: () => boolean; blocks: Pick<MovingBlocks, 'together' | 'finalized'> },
): Promise<TroubledNode> => {
  const troubles = { failed: 0, lagged: 0, lied: 0 };
  const post = async (body: unknown): Promise<Reply> => {
    const response = await fetch(realUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Reply;
  };
  const askReal = (method: string, params: unknown[]): Promise<Reply> => post({ jsonrpc: '2.0', id: 1, method, params });
  /** For the local chain every block is final. @param head number of the newest block that the node knows */
  const ask = (method: string, params: unknown[], head = Number.POSITIVE_INFINITY): Promise<Reply> => {
    const shown = params.map((param) => (param === 'finalized' ? hex(Math.min(blocks.finalized(), head)) : param));
    return askReal(method, shown);
  };

  /** The reply of a node that does not know the newest blocks yet; undefined for calls that it answers anyway. */
  const lag = async ({ method, params }: Call): Promise<Reply | undefined> => {
    const head = Math.max(0, Number((await ask('eth_blockNumber', [])).result) - 1 - Math.floor(random() * MAX_LAG));
    if (method === 'eth_blockNumber') return { result: hex(head) };
    if (method !== 'eth_getBlockByNumber') return undefined;
    const [which, full] = params;
    if (which === 'finalized') return ask(method, params, head);
    if (which === 'latest') return ask(method, [hex(head), full]);
    return Number(which) > head ? { result: null } : undefined;
  };

  const answer = async (call: Call): Promise<Reply> => {
    const chance = calm() ? 1 : random();
    if (chance < SHARE) {
      troubles.failed += 1;
      return { error: { code: -32_000, message: 'unavailable' } };
    }
    if (role === 'laggard' && chance < SHARE + LAGGING) {
      const older = await lag(call);
      if (older !== undefined) {
        troubles.lagged += 1;
        return older;
      }
    }
    const reply = await ask(call.method, call.params);
    const lie = role === 'liar' && chance < 2 * SHARE ? LIES[call.method] : undefined;
    if (lie === undefined || reply.result === undefined) return reply;
    troubles.lied += 1;
    return { ...reply, result: lie(reply.result) };
  };

  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const calls = JSON.parse(await text(request)) as Call | Call[];
      const reply = async (call: Call) => ({ ...(await answer(call)), jsonrpc: '2.0', id: call.id });
      const replies = await blocks.together(async () => (Array.isArray(calls) ? Promise.all(calls.map(reply)) : reply(calls)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replies));
    };
    serve().catch(() => response.destroy());
  });
  const { url } = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    troubles: () => ({ ...troubles }),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};
