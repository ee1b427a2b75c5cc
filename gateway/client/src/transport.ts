import { buildRequest, type Input } from './build-request.ts';
import { FlorinError } from './errors.ts';
import { unlessAborted } from './pause.ts';
import { type ProofKey, signProof } from './proof.ts';
import { randomId } from './random-id.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import { isKeyed, isSecured, isStream, isTable, type Route, takesProof } from './routes.ts';
import { type Fetch, sendOnce } from './send-once.ts';
import { COOKIE_HEADERS, COOKIE_ROUTES, type Tokens } from './session.ts';
import type { CallOptions } from './types.ts';

export type TransportOptions = Omit<RetryOptions, 'signal' | 'operation'> & {
  /** Without a slash at its end. */
  url: string;
  fetch: Fetch;
  timeoutMs: number;
  proofKey: ProofKey | undefined;
  withCookie: boolean;
  now: () => number;
};

export type Operation = { name: string; route: Route };

export type Transport = {
  /** Performs an operation: with tokens, repeats and proofs. @returns the parsed response, or its text if it is a table */
  call: (operation: Operation, input: Input, options: CallOptions) => Promise<unknown>;
  /** Opens a stream of events, without repeats. */
  open: (operation: Operation, input: Input, options: CallOptions) => Promise<ReadableStream<Uint8Array>>;
};

/**
 * Calls that have no key and may be repeated, and for how long: a session ends once, and a used refresh token returns the same pair for ten seconds, after which
 * it would end the session.
 */
const REPEATABLE_MS: Readonly<Record<string, number>> = { 'auth.refreshSession': 8000, 'auth.logout': Number.POSITIVE_INFINITY };

const ACCEPT = (route: Route): string => (isStream(route) ? 'text/event-stream' : isTable(route) ? 'text/csv' : 'application/json');

const bodyOf = (response: Response): ReadableStream<Uint8Array> => {
  if (response.body === null) throw new SyntaxError('the response has no body');
  return response.body;
};

export const createTransport = (client: TransportOptions, tokens: () => Tokens): Transport => {
  const { url: base, withCookie, proofKey, now } = client;

  const perform = async <T>(
    { name, route: declared }: Operation,
    input: Input,
    { signal, idempotencyKey, timeoutMs = client.timeoutMs, retries = client.retries, headers }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const own = withCookie ? COOKIE_ROUTES[name] : undefined;
    const route = own ?? declared;
    const { path, body } = buildRequest(route, input);
    const [method] = route;
    // One key and one id for all attempts of the call.
    const fixed: Record<string, string> = {
      accept: ACCEPT(route),
      'x-request-id': randomId(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isKeyed(route) ? { 'idempotency-key': idempotencyKey ?? randomId() } : {}),
      ...(own === undefined ? {} : COOKIE_HEADERS),
      ...headers,
    };
    const send = async (token: string | undefined): Promise<T> => {
      const needsProof = proofKey !== undefined && (token !== undefined || takesProof(route));
      const proof = needsProof ? await signProof(proofKey, { method, url: base + path, token, now: now() }) : undefined;
      const credentials: Record<string, string> = {
        ...(token === undefined ? {} : { authorization: `${proof === undefined ? 'Bearer' : 'DPoP'} ${token}` }),
        ...(proof === undefined ? {} : { dpop: proof }),
      };
      const attempt = { operation: name, method, url: base + path, headers: { ...credentials, ...fixed }, body, signal };
      // A stream and a table take as long as they take.
      const isLong = isStream(route) || isTable(route);
      return sendOnce(client.fetch, { ...attempt, withCookies: own !== undefined, timeoutMs: isLong ? undefined : timeoutMs }, read);
    };
    const withToken = async (): Promise<T> => {
      const token = isSecured(route) ? await unlessAborted(tokens().current(), signal) : undefined;
      try {
        return await send(token);
      } catch (error) {
        if (token === undefined || !(error instanceof FlorinError) || error.code !== 'UNAUTHORIZED') throw error;
        const next = await unlessAborted(tokens().renew(token), signal);
        if (next === undefined) throw error;
        return send(next);
      }
    };
    const repeatWithinMs = REPEATABLE_MS[name];
    const isRepeatable = method === 'GET' || isKeyed(route) || repeatWithinMs !== undefined;
    return withRetries(withToken, isRepeatable, { ...client, operation: name, retries, signal, repeatWithinMs });
  };

  return {
    call: async (operation, input, options) => {
      const answer = await perform(operation, input, options, async (response): Promise<unknown> => {
        const text = await response.text();
        return isTable(operation.route) ? text : JSON.parse(text);
      });
      await tokens().observe(operation.name, answer);
      return answer;
    },
    open: (operation, input, options) => perform(operation, input, { ...options, retries: 0 }, async (response) => bodyOf(response)),
  };
};
