import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RpcRequest = { id: number; method: string; params: unknown[] };

/** Response of a fake node to a request; undefined forwards the request to the real node. */
export type Trouble = (request: RpcRequest, response: ServerResponse) => object | string | undefined | 'handled';

const readAll = async (stream: AsyncIterable<unknown>): Promise<string> => {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
};

/** A JSON-RPC proxy in front of a real node that a test can make faulty, slow or silent. */
export const startFakeNode = async (realUrl: string) => {
  const seen: RpcRequest[] = [];
  let trouble: Trouble = () => undefined;

  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await readAll(request);
      const parsed = JSON.parse(body) as RpcRequest;
      seen.push(parsed);
      const made = trouble(parsed, response);
      if (made === 'handled') return;
      if (typeof made === 'string') return response.end(made);
      if (made !== undefined) return response.end(JSON.stringify({ jsonrpc: '2.0', id: parsed.id, ...made }));
      const real = await fetch(realUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return response.end(await real.text());
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    /** Sets the faults from now on; without an argument the node behaves correctly. */
    make: (next: Trouble = () => undefined) => {
      trouble = next;
      seen.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type FakeNode = Awaited<ReturnType<typeof startFakeNode>>;
