/** Asks a node one thing (JSON-RPC 2.0 over HTTP). Rejects on whatever is not its well-formed result. */
export type JsonRpc = (method: string, params: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

/** More than any answer that is asked for here: a block of the busiest chains names two thousand transactions, 70 bytes each. */
const MAX_ANSWER_BYTES = 524_288;

const readBounded = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the node answered too much');
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
};

/**
 * One request per question, no batch, no repeat, no redirect, and no library in between that could follow a contract's wish to
 * look somewhere else (EIP-3668) or deploy something first (EIP-6492) unless it was asked to.
 */
export const createJsonRpc = (url: string): JsonRpc => {
  let lastId = 0;
  return async (method, params, signal) => {
    lastId += 1;
    const id = lastId;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      redirect: 'error',
      signal,
    });
    const text = await readBounded(response);
    if (response.status !== 200) throw new Error(`the node answered ${method} with HTTP ${response.status}`);
    const answer = JSON.parse(text) as { id?: unknown; result?: unknown; error?: { code?: unknown } } | null;
    if (answer?.error !== undefined && answer.error !== null) throw new Error(`the node refused ${method} (${String(answer.error.code)})`);
    if (answer?.id !== id || answer.result === undefined) throw new Error(`the node's answer to ${method} is none`);
    return answer.result;
  };
};
