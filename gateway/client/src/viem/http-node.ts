import type { ChainNode } from './chain-node.ts';

/** The node at a URL. @throws Error with the message of the node */
export const httpNode = (url: string): ChainNode => ({
  request: async ({ method, params }: { method: string; params: unknown[] }) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    return result;
  },
});
