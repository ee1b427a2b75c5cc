import { randomUUID } from 'node:crypto';
import { pause } from '@florin/rpc/time';
import type { Answer } from '../support/answer.ts';
import { type ApiClient, createApiClient, toError, withCall } from '../support/api-client.ts';

const GIVE_UP_AFTER_MS = 90_000;
const PAUSE_MS = 200;

/** Reports whether the response leaves the outcome open: the request must be repeated with the same Idempotency-Key. */
const isTransient = ({ status, body }: Answer): boolean =>
  status >= 500 || (status === 409 && (body as { error?: unknown }).error === 'IDEMPOTENCY_IN_PROGRESS');

/**
 * Creates a client that works like a careful app: it sends an Idempotency-Key with every mutation and repeats requests that end with a
 * broken connection or a 5xx until the response is definite.
 */
export const createPersistentClient = (url: string): ApiClient & { repeats: () => number; unanswered: () => string[] } => {
  const plain = createApiClient(url);
  const unanswered = new Map<string, string>();
  let repeats = 0;

  const request: ApiClient['request'] = async (method, path, options = {}) => {
    const headers = { ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }), ...options.headers };
    const end = Date.now() + GIVE_UP_AFTER_MS;
    const id = randomUUID();
    unanswered.set(id, `${method} ${path}: no response`);
    try {
      for (;;) {
        const answer = await plain.request(method, path, { ...options, headers }).catch((error: unknown) => error as Error);
        if (!(answer instanceof Error) && !isTransient(answer)) return answer;
        const error = answer instanceof Error ? answer : toError(answer);
        unanswered.set(id, error.message);
        if (Date.now() > end) throw error;
        repeats += 1;
        await pause(PAUSE_MS);
      }
    } finally {
      unanswered.delete(id);
    }
  };
  return {
    ...withCall(request),
    repeats: () => repeats,
    /** The requests that wait for a definite response, each with the last one that was not. */
    unanswered: () => [...unanswered.values()],
  };
};
