import { waitFor } from './wait-for.ts';

export type StreamedEvent = { id: string; event: string; data: unknown /** `performance.now()` when it was read. */; at: number };

export type EventStream = {
  status: number;
  headers: Headers;
  /** The body of a refusal. */
  body: unknown;
  events: StreamedEvent[];
  /** Everything that was read, comments included. */
  text: () => string;
  ended: () => boolean;
  /** Waits until an event is found in what was read so far. */
  until: (what: string, pick: (event: StreamedEvent) => boolean) => Promise<StreamedEvent>;
  close: () => Promise<void>;
};

const parse = (block: string): StreamedEvent | undefined => {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data), at: performance.now() };
};

/** Reads server-sent events over plain HTTP, as a browser's EventSource does, for tests and benches. */
export const openEventStream = async (url: string, token: string | undefined, lastEventId?: string): Promise<EventStream> => {
  const gone = new AbortController();
  const response = await fetch(url, {
    signal: gone.signal,
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
    until: (what, pick) => waitFor(what, async () => events.find(pick)),
    close: async () => {
      gone.abort();
      await done;
    },
  };
};
