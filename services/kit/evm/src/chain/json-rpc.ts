/** Calls a method of a node (JSON-RPC 2.0 over HTTP). Rejects unless the response is a well-formed result within the client's limit. */
export type JsonRpc = (method: string, params: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

/**
 * Calls one method several times with a single request (a batch of JSON-RPC 2.0, section 6).
 * @param paramsOfEach parameters of each call
 * @returns the results in that order. Rejects unless every call has a well-formed result; some nodes take no batches, or only small ones
 */
export type JsonRpcBatch = (method: string, paramsOfEach: readonly (readonly unknown[])[], signal: AbortSignal) => Promise<unknown[]>;

/** More than the largest expected response: a block of the busiest chains lists two thousand transactions, 70 bytes each. */
const DEFAULT_MAX_BYTES = 524_288;

/** Bytes of responses that a client has received of calls that have not ended. */
type Held = { bytes: number };

type Limits = { maxBytes: number; maxBytesAtOnce: number };

const readBounded = async (response: Response, { maxBytes, maxBytesAtOnce }: Limits, held: Held): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      held.bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new Error(`the node's response exceeds ${maxBytes} bytes`);
      if (held.bytes > maxBytesAtOnce) throw new Error(`the node's responses together exceed ${maxBytesAtOnce} bytes`);
      text += decoder.decode(chunk, { stream: true });
    }
  } finally {
    held.bytes -= bytes;
  }
  return text;
};

type ErrorReply = { code?: unknown; message?: unknown };

/** Codes by which nodes say that a call was reverted: Geth, Erigon and Hardhat; Nethermind. Others have one code for many errors, and say it in the text. */
const REVERTED: ReadonlySet<unknown> = new Set([3, -32015]);

/** An error that a node has answered with. Its text is not kept: a contract could choose it. */
export class JsonRpcError extends Error {
  /** True if the call that the node was asked for was reverted. */
  readonly isRevert: boolean;
  constructor(method: string, { code, message }: ErrorReply) {
    super(`${method} failed with error ${String(code)}`);
    this.isRevert = REVERTED.has(code) || (typeof message === 'string' && /revert/i.test(message));
  }
}

type Reply = { id?: unknown; result?: unknown; error?: ErrorReply | null } | null;

const resultOf = (method: string, reply: Reply | undefined, id: number): unknown => {
  if (reply?.error !== undefined && reply.error !== null) throw new JsonRpcError(method, reply.error);
  if (reply?.id !== id || reply.result === undefined) throw new Error(`${method} returned no result`);
  return reply.result;
};

/**
 * Creates a client without retries or redirects. No library in between can follow a contract's request to look elsewhere (EIP-3668) or to deploy
 * something first (EIP-6492).
 * @param limits maxBytes: of a response, by default 512 KiB; maxBytesAtOnce: of all responses that are being received at the same time, by default
 * without limit
 */
export const createJsonRpcClient = (url: string, limits: Partial<Limits> = {}): { call: JsonRpc; callEach: JsonRpcBatch } => {
  const { maxBytes = DEFAULT_MAX_BYTES, maxBytesAtOnce = Number.POSITIVE_INFINITY } = limits;
  const held: Held = { bytes: 0 };
  let lastId = 0;
  const request = (method: string, params: readonly unknown[]) => {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method, params };
  };
  const post = async (method: string, body: unknown, signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
    const text = await readBounded(response, { maxBytes, maxBytesAtOnce }, held);
    if (response.status !== 200) throw new Error(`${method} failed with HTTP status ${response.status}`);
    return JSON.parse(text);
  };
  return {
    call: async (method, params, signal) => {
      const own = request(method, params);
      return resultOf(method, (await post(method, own, signal)) as Reply, own.id);
    },
    callEach: async (method, paramsOfEach, signal) => {
      const own = paramsOfEach.map((params) => request(method, params));
      const replies = await post(method, own, signal);
      if (!Array.isArray(replies)) throw new Error(`${method} in a batch returned no list of results`);
      // A node may reply in any order.
      const byId = new Map((replies as Reply[]).map((reply) => [reply?.id, reply]));
      return own.map(({ id }) => resultOf(method, byId.get(id), id));
    },
  };
};

/** A client that makes one request per call. */
export const createJsonRpc = (url: string, limits: Partial<Limits> = {}): JsonRpc => createJsonRpcClient(url, limits).call;
