type Told = { status?: number; requestId?: string; details?: Readonly<Record<string, string>> };

/** The error of a request: the process's code and the id of the request; `NETWORK_ERROR` and `TIMEOUT` where no answer came. */
export class OfficeError extends Error {
  readonly code: string;
  readonly requestId: string | undefined;
  readonly status: number;
  /** Facts about the error, by their names in the contract. */
  readonly details: Readonly<Record<string, string>>;

  constructor(code: string, message: string, { status = 0, requestId, details = {}, cause }: Told & { cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

/** Longer than the process gives its own calls. */
const PATIENCE_MS = 30_000;

/** `isPolled`: nobody asked for it, so it does not show that somebody is there. */
export type Sent = { body?: unknown; key?: string; signal?: AbortSignal; isPolled?: boolean };

let onUnauthorized: () => void = () => undefined;

/** Listeners for the end of the session. */
export const whenUnauthorized = (listener: () => void): void => {
  onUnauthorized = listener;
};

const errorOf = async (response: Response): Promise<OfficeError> => {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  const told = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const code = typeof told['error'] === 'string' ? told['error'] : 'SERVICE_UNAVAILABLE';
  const message = typeof told['message'] === 'string' ? told['message'] : response.statusText;
  const details = told['details'] as Told['details'];
  return new OfficeError(code, message, {
    status: response.status,
    ...(requestId === undefined ? {} : { requestId }),
    ...(details === undefined ? {} : { details }),
  });
};

const requestOf = (method: string, { body, key, signal, isPolled = false }: Sent): RequestInit => {
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  return {
    method,
    headers: {
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(isPolled ? { 'x-polled': '1' } : {}),
    },
    // The process takes only JSON, also from requests that have nothing to say.
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  };
};

/**
 * Calls the process that serves this page.
 * @returns the answer, as the contract has it; undefined for 204
 * @throws OfficeError
 */
export const ask = async <Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, sent: Sent = {}): Promise<Answer> => {
  let response: Response;
  try {
    response = await fetch(path, requestOf(method, sent));
  } catch (cause) {
    if (sent.signal?.aborted === true) throw cause;
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
    throw new OfficeError(isLate ? 'TIMEOUT' : 'NETWORK_ERROR', 'no answer', { cause });
  }
  if (!response.ok) {
    const error = await errorOf(response);
    if (error.code === 'UNAUTHORIZED') onUnauthorized();
    throw error;
  }
  return (response.status === 204 ? undefined : await response.json()) as Answer;
};

/** Reports whether an error has a code. */
export const hasCode = (error: unknown, code: string): boolean => error instanceof OfficeError && error.code === code;
