import type { Answer } from './answer.ts';

/**
 * A `fetch` that shows every response of a gateway to `onAnswer`, which may throw, but for streams of events: those have no end.
 * @param baseUrl address of the gateway
 */
export const observedFetch =
  (baseUrl: string, onAnswer: (answer: Answer) => void) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return response;
    const text = await response.clone().text();
    onAnswer({
      method: init.method ?? 'GET',
      path: url.slice(baseUrl.length),
      status: response.status,
      headers: response.headers,
      body: type.includes('json') ? (JSON.parse(text) as unknown) : text,
    });
    return response;
  };
