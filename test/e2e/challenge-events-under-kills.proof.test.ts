import { setTimeout as pause } from 'node:timers/promises';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { type EventStream, openEventStream, type StreamedEvent, waitFor } from '@florin/rpc/testing';
import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { type ChallengeDetail, createCard, decide, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
let relay: Awaited<ReturnType<typeof startRedisRelay>>;
let gateways: string[];
beforeAll(async () => {
  relay = await startRedisRelay(testEngines().redisUrl);
  platform = await startPlatformInProcess({ REDIS_URL: relay.url });
  gateways = [platform.url, (await platform.startGateway()).url];
});
afterAll(async () => {
  await platform?.close();
  await relay?.close();
});

const STEPS = 40;

/** Whole numbers below a limit, the same for the same seed. */
const randomFrom = (seed: number) => {
  const random = seededRandom(seed);
  return (below: number): number => Math.floor(random() * below);
};

/** [milliseconds, sequence, serial] of an id. */
const partsOf = (id: string): number[] => id.replace(/p$/, '').split(/[-.]/).map(Number);
const compare = (a: string, b: string): number => {
  const [one, other] = [partsOf(a), partsOf(b)];
  return [0, 1, 2].map((index) => (one[index] ?? 0) - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
};

const PROGRESS = ['pending', 'processing'];
const progressOf = (status: string): number => (PROGRESS.includes(status) ? PROGRESS.indexOf(status) : 2);
const stateIn = ({ data }: StreamedEvent) => (data as Partial<ChallengeDetail>).challenge;

/**
 * A client that reads until its connection ends, and resumes with the id of the last event that it read, at any gateway. Where it is told that
 * challenges may have come and gone unseen (`reset`, and a further `ready` after an outage), it reads the list, as the guide says.
 */
const createClient = (person: Person) => {
  const events: StreamedEvent[] = [];
  const states = new Map<string, string>();
  let stream: EventStream | undefined;
  let taken = 0;
  let ready = 0;
  let mayHaveMissed = false;
  const take = (): void => {
    const fresh = stream?.events.slice(taken) ?? [];
    taken += fresh.length;
    events.push(...fresh);
    for (const { id, status } of fresh.flatMap((event) => stateIn(event) ?? [])) states.set(id, status);
    for (const { event } of fresh) {
      if (event === 'ready') ready += 1;
      if (event === 'reset' || (event === 'ready' && ready > 1)) mayHaveMissed = true;
    }
  };
  /** Reads what has come, and the list where the events say that they are not everything. */
  const catchUp = async (): Promise<void> => {
    take();
    if (!mayHaveMissed) return;
    mayHaveMissed = false;
    const path = '/3ds/challenges?limit=100';
    const { data } = await platform.api.call<{ data: { id: string; status: string }[] }>('GET', path, { token: person.token });
    for (const { id, status } of data) if (progressOf(status) >= progressOf(states.get(id) ?? 'pending')) states.set(id, status);
  };
  return {
    events,
    states,
    catchUp,
    reconnect: async (gateway: string): Promise<void> => {
      await stream?.close();
      await catchUp();
      stream = await waitFor('a stream', async () => {
        const opened = await openEventStream(`${gateway}/3ds/challenges/events`, person.token, events.at(-1)?.id);
        return opened.status === 200 ? opened : undefined;
      });
      [taken, ready] = [0, 0];
      const opened = stream;
      await waitFor('the end of the first events', async () => opened.events.find(({ event }) => event === 'ready'));
      await catchUp();
    },
    close: () => stream?.close(),
  };
};

describe('the stream of challenges', () => {
  it.each([1, 2])(
    'loses nothing while services restart, Redis goes away and clients reconnect: run %i',
    async (seed) => {
      const random = randomFrom(seed);
      const person = await registerPerson(platform.api);
      const cardId = await createCard(platform.api, person.token);
      const anyGateway = () => gateways[random(gateways.length)] ?? platform.url;
      const clients = [createClient(person), createClient(person)];
      for (const client of clients) await client.reconnect(anyGateway());
      const open: string[] = [];
      const final = new Map<string, string>();
      const raise = async () => open.push(await raiseChallenge(platform.api, person.token, cardId, {}));
      const decideOne = async () => {
        const id = open.splice(random(open.length), 1)[0];
        if (id === undefined) return;
        const decision = random(2) === 0 ? 'approve' : 'decline';
        await decide(platform.api, person, id, decision);
        final.set(id, decision === 'approve' ? 'approved' : 'declined');
      };
      const outage = async () => {
        await relay.cut();
        await raise();
        await decideOne();
        await pause(random(300));
        await relay.restore();
      };
      const reconnect = () => clients[random(clients.length)]?.reconnect(anyGateway());
      await raise();
      for (let step = 0; step < STEPS; step += 1) {
        if (step % 13 === 6) await platform.restartThreeds();
        else if (step % 17 === 9) await outage();
        else await [raise, raise, decideOne, reconnect][random(4)]?.();
      }
      for (const id of open) final.set(id, 'pending');

      for (const client of clients) {
        await client.reconnect(anyGateway());
        await waitFor('the last state of every challenge', async () => {
          await client.catchUp();
          return [...final].every(([id, status]) => client.states.get(id) === status) ? true : undefined;
        });
        await client.close();
        const ids = client.events.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const [index, id] of ids.entries()) if (index > 0) expect(compare(id, ids[index - 1] ?? '')).toBeGreaterThan(0);
        // No challenge reverts to an earlier state.
        for (const id of final.keys()) {
          const states = client.events.flatMap((event) => stateIn(event) ?? []).filter((one) => one.id === id);
          const progress = states.map(({ status }) => progressOf(status));
          expect(progress).toEqual([...progress].sort());
        }
      }
    },
    120_000,
  );
});
