import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from '@florin/rpc/time';
import {
  createFeedChecker,
  createWebhookVerifier,
  type Event,
  type FeedChecker,
  isCheckpoint,
  isEvent,
  publishedKeys,
  type VerifyWebhook,
  WebhookError,
} from '@florin/webhooks';

/** How a receiver behaves: it takes a delivery and answers at once, or later; answers 500; says nothing; or does something else than HTTP says. */
export const MOODS = ['well', 'slow', 'refuses', 'closes', 'silent', 'lies', 'endless'] as const;
export type Mood = (typeof MOODS)[number];

/** Time that a slow receiver takes, in milliseconds: less than an attempt may. */
const SLOW_MS = 3000;

/** An endpoint as its owner sees it. All that is known of the feed came by webhooks. */
type Endpoint = { id: string; verify: VerifyWebhook; checker: FeedChecker; events: Event[]; isComplete: boolean };

/** Answers that end an attempt without a success: what they answer is not taken. */
const REJECT: Readonly<Partial<Record<Mood, (response: ServerResponse) => void>>> = {
  refuses: (response) => void response.writeHead(500).end('broken'),
  closes: (response) => void response.socket?.destroy(),
  silent: () => undefined,
};

/** Answers whose status says that the delivery was taken, whatever is wrong with the rest. */
const ACCEPT: Readonly<Partial<Record<Mood, (response: ServerResponse) => void>>> = {
  lies: (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('short');
    response.socket?.end();
  },
  endless: (response) => void response.writeHead(200).write('x'.repeat(4000)),
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** The claims of a delivery, genuine or not: only for the log. */
const claimedBy = (text: string): string => {
  try {
    const { type, subject = '', sequence, subjectSequence = '' } = JSON.parse(text) as Partial<Event>;
    return `${type} ${sequence} ${subject} ${subjectSequence}`;
  } catch {
    return 'not JSON';
  }
};

/**
 * A partner's server with several endpoints, which verifies every delivery, and proves by what it receives alone that nothing is missing.
 * @param log takes a line per delivery: what it was, the receiver's mood, and what became of it
 */
export const startFaultReceiver = async (log: (line: string) => void) => {
  const endpoints = new Map<string, Endpoint>();
  const problems: string[] = [];
  const answered: Record<string, number> = {};
  let mood: Mood = 'well';

  /** Takes what a delivery says. @returns what that was for the receiver */
  const take = (path: string, endpoint: Endpoint, message: unknown): string => {
    const { checker, events } = endpoint;
    if (isCheckpoint(message as never)) {
      endpoint.isComplete = checker.isComplete(message as never) && checker.gaps().length === 0;
      return endpoint.isComplete ? 'complete' : 'incomplete';
    }
    if (!isEvent(message as never)) return 'ignored';
    const event = message as Event;
    const taken = checker.take(event);
    if (taken === 'late') problems.push(`${path}: the change ${event.subjectSequence} of ${event.subject} came after a later one`);
    if (taken !== 'repeat') events.push(event);
    endpoint.isComplete = false;
    return taken;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const endpoint = endpoints.get(path);
    const text = await readText(request);
    const now = mood;
    answered[now] = (answered[now] ?? 0) + 1;
    const reject = REJECT[now];
    const note = (outcome: string): void => log(`${path} ${now} ${outcome}: ${claimedBy(text)}`);
    // An endpoint is announced a moment after it was created.
    if (endpoint === undefined) {
      note('unknown');
      return void response.writeHead(503).end();
    }
    if (reject !== undefined) {
      note('rejected');
      return reject(response);
    }
    if (now === 'slow') await pause(SLOW_MS);
    try {
      const { message } = await endpoint.verify(text, request.headers);
      note(take(path, endpoint, message));
    } catch (error) {
      note(String(error));
      // A deliverer whose clock is wrong signs with its time: it has to come again.
      const isClock = error instanceof WebhookError && /^TIMESTAMP_/.test(error.code);
      if (!isClock) problems.push(`${path}: a delivery is wrong: ${String(error)}`);
      return void response.writeHead(400).end();
    }
    const accept = ACCEPT[now];
    if (accept === undefined) response.end();
    else accept(response);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path: string): string => `http://127.0.0.1:${port}${path}`,
    /** Names the endpoint of a path: its id, its secret, and where the platform's keys are. */
    expect: (path: string, { id, secret, keysUrl }: { id: string; secret: string; keysUrl: string }): void => {
      const verify = createWebhookVerifier({ secrets: [secret], keys: publishedKeys(keysUrl), endpointId: id });
      endpoints.set(path, { id, verify, checker: createFeedChecker(), events: [], isComplete: false });
    },
    behave: (next: Mood): void => {
      mood = next;
    },
    /** The events that an endpoint has received, each once, in their order of arrival. */
    events: (path: string): readonly Event[] => endpoints.get(path)?.events ?? [],
    /** Reports whether an endpoint has everything up to the last checkpoint, which came after the last event. */
    isComplete: (path: string): boolean => endpoints.get(path)?.isComplete === true,
    /** Id of the endpoint of a path. */
    idOf: (path: string): string => endpoints.get(path)?.id ?? '',
    gaps: (path: string) => endpoints.get(path)?.checker.gaps() ?? [],
    problems,
    /** Deliveries by the mood in which they were met. */
    answered,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type FaultReceiver = Awaited<ReturnType<typeof startFaultReceiver>>;
