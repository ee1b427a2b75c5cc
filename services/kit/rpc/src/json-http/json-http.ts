import { Agent, request } from 'undici';

const DEFAULT_DEADLINE_MS = 4000;
const MAX_ANSWER_BYTES = 64 * 1024;

export type JsonHttp = {
  /**
   * Posts JSON to the configured base address.
   * @returns the parsed answer; undefined when it is empty
   * @throws Error on any status but 2xx (redirects are not followed), on more than 64 KiB, and after the deadline. Never holds what
   * was sent or answered
   */
  post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
  close: () => Promise<void>;
};

export type JsonHttpOptions = {
  url: string;
  token: string;
  /** For one call from its beginning to the end of its answer. Default: four seconds. */
  deadlineMs?: number;
};

/** The client of one outside system that speaks JSON and knows us by a bearer token. */
export const createJsonHttp = ({ url, token, deadlineMs = DEFAULT_DEADLINE_MS }: JsonHttpOptions): JsonHttp => {
  const dispatcher = new Agent({ connections: 16, connect: { timeout: deadlineMs }, maxResponseSize: MAX_ANSWER_BYTES });
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
      if (response.statusCode < 200 || response.statusCode > 299) throw new Error(`answered with status ${response.statusCode}`);
      try {
        return text === '' ? undefined : (JSON.parse(text) as unknown);
      } catch {
        throw new Error('answered with something else than JSON');
      }
    },
    close: () => dispatcher.close(),
  };
};
