import type { Answer } from './answer.ts';
import { CodedAnswerError } from './coded-answer-error.ts';

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
  /** Returns the body of a 200 response. @throws CodedAnswerError on every other status */
  call: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;
};

/** Builds a client from its `request`. */
export const withCall = (request: ApiClient['request']): ApiClient => ({
  request,
  call: async <T>(method: string, path: string, options?: RequestOptions) => {
    const answer = await request(method, path, options);
    if (answer.status !== 200) throw new CodedAnswerError(answer);
    return answer.body as T;
  },
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
