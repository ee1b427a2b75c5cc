import { Agent, get, type IncomingMessage } from 'node:http';
import type { Platform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { createApiClient } from '../support/api-client.ts';
import { BEHIND_PROXY, fromOwnAddress } from '../support/customer-address.ts';
import { createCard, type Person, raiseChallenge, registerPerson } from '../support/story.ts';
import { residentMebibytes } from './memory.ts';
import { onPlatform, pidOf } from './on-platform.ts';
import type { Row } from './row.ts';
import { sized } from './sized.ts';

const CLIENTS = sized(5000, 200);

/** As many as the gateway allows one user. */
const STREAMS_PER_USER = 10;

const REGISTERED_AT_ONCE = 8;
const OPENED_AT_ONCE = 100;
const PROCESSES = ['gateway', 'threeds'] as const;

type Stream = { text: () => string; close: () => void };

/** Opens a stream of server-sent events and waits for its `ready` event. */
const open = (baseUrl: string, token: string, agent: Agent): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const url = `${baseUrl}/3ds/challenges/events`;
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const request = get(url, { agent, headers }, (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (response.statusCode === 200 && text.includes('event: ready')) resolve({ text: () => text, close: () => request.destroy() });
      });
      response.on('end', () => reject(new Error(`the stream ended with ${response.statusCode}: ${text.slice(0, 200)}`)));
    });
    request.on('error', reject);
  });

/** Makes `count` values, `atOnce` at a time. */
const inTurns = async <T>(count: number, atOnce: number, make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  while (made.length < count) {
    const from = made.length;
    made.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => make(from + index)))));
  }
  return made;
};

const measureStreams = async (platform: Platform, report: (line: string) => void): Promise<Row[]> => {
  const api = createApiClient(platform.urls.gateway);
  report(`${CLIENTS / STREAMS_PER_USER} users`);
  const people: Person[] = await inTurns(CLIENTS / STREAMS_PER_USER, REGISTERED_AT_ONCE, () => registerPerson(fromOwnAddress(api)));
  const [first] = people;
  if (first === undefined) throw new Error('no user');
  const cardId = await createCard(api, first.token);
  const measure = () => PROCESSES.map((name) => residentMebibytes(pidOf(platform, name)));
  const idle = measure();
  report(`${CLIENTS} streams`);
  const agent = new Agent({ keepAlive: false });
  const streams = await inTurns(CLIENTS, OPENED_AT_ONCE, (index) =>
    open(platform.urls.gateway, people[Math.floor(index / STREAMS_PER_USER)]?.token ?? '', agent),
  );
  const loaded = measure();
  const challengeId = await raiseChallenge(api, first.token, cardId);
  const own = streams.slice(0, STREAMS_PER_USER);
  await waitFor('the challenge on each stream', async () => own.every(({ text }) => text().includes(challengeId)) || undefined);
  const strangers = streams.slice(STREAMS_PER_USER).filter(({ text }) => text().includes(challengeId));
  if (strangers.length > 0) throw new Error(`${strangers.length} streams of other users show the challenge`);
  for (const { close } of streams) close();
  const rows = PROCESSES.flatMap((name, index) => [
    { name: `${name} resident memory (PSS), idle`, value: idle[index] ?? 0, unit: 'MiB' },
    { name: `${name} resident memory (PSS), ${CLIENTS} event streams`, value: loaded[index] ?? 0, unit: 'MiB' },
  ]);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return [...rows, { name: 'both, above idle', value: sum(loaded) - sum(idle), unit: 'MiB' }];
};

/**
 * Resident memory of gateway and threeds with 5,000 open streams of server-sent events, ten per user, above that of the idle processes with the
 * same users. At the end each stream of one user has to show a new challenge.
 */
export const benchEventStreams = (report: (line: string) => void): Promise<Row[]> =>
  onPlatform(report, (platform) => measureStreams(platform, report), BEHIND_PROXY);
