import { FlorinError } from './errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Attempt = {
  /** For errors. */
  operation: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Cookies of the origin are sent and accepted. */
  withCookies: boolean;
  signal: AbortSignal | undefined;
  /** Undefined: as long as it takes. */
  timeoutMs: number | undefined;
};

type ErrorBody = { error?: unknown };

const retryAfterOf = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

/** The error in the body of a response, in one of the platform's two shapes. */
const errorIn = (body: unknown): { code: string; message?: string } | undefined => {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  if (typeof error === 'string') return { code: error };
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as { message?: unknown };
  return typeof message === 'string' ? { code: 'VALIDATION_FAILED', message } : undefined;
};

/** Beside a code, the platform says in a header why: of a token, or in the title of the link to the catalogue. */
const reasonIn = ({ headers }: Response): string | undefined =>
  /error_description="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? /title="([^"]+)"/.exec(headers.get('link') ?? '')?.[1];

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Sends a request once and reads the response.
 * @param read reads the body of a successful response
 * @throws FlorinError for every other outcome, and the signal's reason once it has aborted
 */
export const sendOnce = async <T>(get: Fetch, attempt: Attempt, read: (response: Response) => Promise<T>): Promise<T> => {
  const { operation, method, url, headers, body, withCookies, signal, timeoutMs } = attempt;
  signal?.throwIfAborted();
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, timeout].filter((one) => one !== undefined);
  let requestId = headers['x-request-id'] ?? '';
  let status = 0;
  try {
    const response = await get(url, {
      method,
      headers,
      // A redirect could carry the token to another origin.
      redirect: 'error',
      credentials: withCookies ? 'same-origin' : 'omit',
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    });
    ({ status } = response);
    requestId = response.headers.get('x-request-id') ?? requestId;
    if (response.ok) return await read(response);
    const failure = errorIn(parse(await response.text()));
    throw new FlorinError((failure?.code ?? 'UNEXPECTED_RESPONSE') as 'UNEXPECTED_RESPONSE', {
      status,
      requestId,
      operation,
      message: failure?.message ?? reasonIn(response),
      retryAfterSeconds: retryAfterOf(response),
    });
  } catch (error) {
    if (error instanceof FlorinError) throw error;
    signal?.throwIfAborted();
    // The status says nothing once the body has failed.
    const facts = { status: 0, requestId, operation, cause: error };
    if (timeout?.aborted === true) throw new FlorinError('TIMEOUT', facts);
    if (error instanceof SyntaxError) throw new FlorinError('UNEXPECTED_RESPONSE', { ...facts, status });
    throw new FlorinError('NETWORK_ERROR', facts);
  }
};
