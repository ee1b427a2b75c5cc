import type { Fetch } from './send-once.ts';

export type Seen = { method: string; url: string; headers: Headers; body: unknown };

/** Answers a request in the place of a gateway, or throws as `fetch` does. */
export type Behave = (seen: Seen, init: RequestInit) => Response | Promise<Response>;

/** A `fetch` that asks `behave`, and keeps what it was asked. */
export const scriptedFetch = (behave: Behave): { fetch: Fetch; seen: Seen[] } => {
  const seen: Seen[] = [];
  return {
    seen,
    fetch: async (url, init) => {
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      const request = { method: init.method ?? 'GET', url, headers: new Headers(init.headers), body };
      seen.push(request);
      init.signal?.throwIfAborted();
      return behave(request, init);
    },
  };
};

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const failure = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  json(status, { success: false, error }, headers);

/** Behaviours in turn; the last one stays. */
export const inTurn = (...behaviours: readonly Behave[]): Behave => {
  let next = 0;
  return (seen, init) => {
    const behave = behaviours[Math.min(next, behaviours.length - 1)];
    next += 1;
    if (behave === undefined) throw new Error('nothing is scripted');
    return behave(seen, init);
  };
};
