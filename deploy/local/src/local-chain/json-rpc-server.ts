import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { z } from 'zod';
import { reasonOf } from '../report.ts';

/** Carries out a call. An error with a number as `code` reaches the caller with its `data`. */
type Answer = (method: string, params: readonly unknown[]) => Promise<unknown>;

const MAX_BODY = 4 * 1024 * 1024;

const call = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);

/**
 * Reports whether a request comes from a program of this machine, and not from a page of the web in one of its browsers: a page states its origin, a name that was
 * pointed at this machine is in `Host`, and a page needs permission, which nothing here gives, to send JSON elsewhere. Extensions (wallets) have origins of their own.
 */
const isOfThisMachine = ({ host = '', origin, 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  LOOPBACK.has(hostOf(`http://${host}`) ?? '') &&
  (origin === undefined || /^[a-z-]+-extension:/.test(origin) || LOOPBACK.has(hostOf(origin) ?? '')) &&
  /^application\/json *(;|$)/i.test(type);

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_BODY) throw new Error('the request is too long');
  }
  return JSON.parse(text);
};

const respond = async (answer: Answer, request: unknown): Promise<object> => {
  const parsed = call.safeParse(request);
  if (!parsed.success) return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'not a JSON-RPC request' } };
  const { id, method, params } = parsed.data;
  try {
    return { jsonrpc: '2.0', id, result: await answer(method, params) };
  } catch (error) {
    const { code, data } = error as { code?: unknown; data?: unknown };
    return { jsonrpc: '2.0', id, error: { code: typeof code === 'number' ? code : -32000, message: reasonOf(error), data } };
  }
};

/** Creates a server of JSON-RPC 2.0, also in batches, for the programs of this machine. */
export const createJsonRpcServer = (answer: Answer): Server =>
  createServer((request, response) => {
    const send = async (): Promise<void> => {
      const body = await bodyOf(request);
      const result = Array.isArray(body) ? await Promise.all(body.map((one) => respond(answer, one))) : await respond(answer, body);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    };
    if (!isOfThisMachine(request.headers)) response.writeHead(403).end('only programs of this machine, with JSON, are served');
    else send().catch((error: unknown) => response.writeHead(400).end(reasonOf(error)));
  });
