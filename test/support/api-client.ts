import { type Client, createClient, FlorinError } from '@florin/client';
import type { Answer } from './answer.ts';

export type RequestOptions = {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  rawBody?: string;
  headers?: Record<string, string>;
};

export type ApiClient = {
  /** Returns the response, whatever its status. */
  request: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  /** Returns the body of a 200 response. @throws FlorinError on every other status */
  call: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;
  /**
   * The typed client of somebody with a token, whose requests are those of `request`, each sent once, without an Idempotency-Key; it reads no streams.
   * @param token without one, what needs none can be called
   */
  as: (token?: string) => Client;
};

/** The error of a response, as the typed client has it. */
export const toError = ({ method, path, status, headers, body }: Answer): FlorinError<string> => {
  const error = (body as { error?: unknown } | null)?.error;
  const requestId = headers.get('x-request-id') ?? '';
  const operation = `${method} ${path.split('?')[0]}`;
  if (typeof error === 'string') return new FlorinError<string>(error, { status, requestId, operation });
  return new FlorinError<string>('VALIDATION_FAILED', { status, requestId, operation, message: JSON.stringify(body) });
};

/** Reports whether the platform answered, and its response was an error; otherwise the outcome of the request is unknown. */
export const isRejection = (error: unknown): error is FlorinError<string> => error instanceof FlorinError && error.status > 0;

/** Stands for the address, which `request` knows. */
const HERE = 'http://gateway';
const SCHEME = 'Bearer ';

/** A `fetch` that sends by `request`. */
const fetchBy =
  (request: ApiClient['request']) =>
  async (url: string, { method = 'GET', headers: sent, body }: RequestInit): Promise<Response> => {
    // A key is for repeats, and the platform takes one only while it has Redis: what is sent once has none, so that tests can take Redis away.
    const { authorization, 'idempotency-key': _key, ...headers } = Object.fromEntries(new Headers(sent));
    const answer = await request(method, url.slice(HERE.length), {
      headers,
      ...(authorization === undefined ? {} : { token: authorization.slice(SCHEME.length) }),
      ...(typeof body === 'string' ? { rawBody: body } : {}),
    });
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return new Response(text, { status: answer.status, headers: answer.headers });
  };

/** Builds a client from its `request`. */
export const withCall = (request: ApiClient['request']): ApiClient => ({
  request,
  call: async <T>(method: string, path: string, options?: RequestOptions) => {
    const answer = await request(method, path, options);
    if (answer.status !== 200) throw toError(answer);
    return answer.body as T;
  },
  as: (token) => createClient({ url: HERE, fetch: fetchBy(request), retries: 0, ...(token === undefined ? {} : { token }) }),
});

const REQUEST_TIMEOUT_MS = 20_000;

/** Creates a client of the gateway that uses plain HTTP and JSON, as external apps do. `onAnswer` receives every response, for checks that apply to all. */
export const createApiClient = (baseUrl: string, onAnswer: (answer: Answer) => void = () => undefined): ApiClient => {
  const request: ApiClient['request'] = async (method, path, { token, body, rawBody, headers } = {}) => {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = {
      method,
      path,
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as unknown) : text,
    };
    onAnswer(answer);
    return answer;
  };
  return withCall(request);
};
