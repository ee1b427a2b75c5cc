import { waitFor } from './wait-for.ts';

export type StreamedEvent = {
  id: string;
  event: string;
  data: unknown;
  /** `performance.now()` when the event was read. */
  at: number;
};

export type EventStream = {
  status: number;
  headers: Headers;
  /** JSON body of a response that is not an event stream. */
  body: unknown;
  events: StreamedEvent[];
  /** All text read so far, including comments. */
  text: () => string;
  ended: () => boolean;
  /** Waits until a matching event has been read, and returns it. */
  until: (name: string, pick: (event: StreamedEvent) => boolean) => Promise<StreamedEvent>;
  close: () => Promise<void>;
};

const parse = (block: string): StreamedEvent | undefined => {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data), at: performance.now() };
};

/** Opens an event stream (server-sent events) like a browser's EventSource, for tests and benchmarks. */
export const openEventStream = async (url: string, token: string | undefined, lastEventId?: string): Promise<EventStream> => {
  const controller = new AbortController();
  const response = await fetch(url, {
    signal: controller.signal,
    headers: {
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const events: StreamedEvent[] = [];
  let text = '';
  let ended = false;
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const body: unknown = isStream ? undefined : await response.json();
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const more = new TextDecoder().decode(chunk);
      text += more;
      const blocks = (rest + more).split('\n\n');
      rest = blocks.pop() ?? '';
      events.push(...blocks.flatMap((block) => parse(block) ?? []));
    }
  };
  const done = (isStream ? read() : Promise.resolve())
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    body,
    events,
    text: () => text,
    ended: () => ended,
    until: (name, pick) => waitFor(name, async () => events.find(pick)),
    close: async () => {
      controller.abort();
      await done;
    },
  };
};
