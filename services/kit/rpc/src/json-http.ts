import { request } from 'undici';
import { createOutsideAgent } from './outside.ts';

const DEFAULT_DEADLINE_MS = 4000;
const MAX_RESPONSE_BYTES = 64 * 1024;

export type JsonHttp = {
  /**
   * Posts JSON to the configured base address.
   * @returns the parsed response body; undefined when it is empty
   * @throws Error on a status other than 2xx (redirects are not followed), on a response above 64 KiB or that is not JSON, and after
   * the deadline. The error never contains request or response content
   */
  post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
  close: () => Promise<void>;
};

type JsonHttpOptions = {
  url: string;
  token: string;
  /** Time limit of a call including its response, in milliseconds. Default: 4000. */
  deadlineMs?: number;
};

/** Creates a client for an outside system that speaks JSON and authenticates Florin by a bearer token. */
export const createJsonHttp = ({ url, token, deadlineMs = DEFAULT_DEADLINE_MS }: JsonHttpOptions): JsonHttp => {
  const dispatcher = createOutsideAgent({ connections: 16, connect: { timeout: deadlineMs }, maxResponseSize: MAX_RESPONSE_BYTES });
  const base = url.replace(/\/+$/, '');
  return {
    post: async (path, body, headers = {}) => {
      const response = await request(`${base}${path}`, {
        method: 'POST',
        dispatcher,
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(deadlineMs),
      });
      const text = await response.body.text();
      if (response.statusCode < 200 || response.statusCode > 299) throw new Error(`unexpected status ${response.statusCode}`);
      try {
        return text === '' ? undefined : (JSON.parse(text) as unknown);
      } catch {
        throw new Error('the response is not JSON');
      }
    },
    close: () => dispatcher.close(),
  };
};
