import { type Client, createClient } from '@florin/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardWithMoney, signUp } from '../support/client-sign-up.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { PAYMENT } from '../support/story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {} });
});
afterAll(() => platform?.close());

type Opened = { path: string; lastEventId: string | null };

/** A client whose streams can be cut, as a network does it: the response breaks off. */
const open = () => {
  const opened: Opened[] = [];
  let cable = new AbortController();
  const client = createClient({
    url: platform.url,
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      if (headers.get('accept') !== 'text/event-stream') return platform.checkedFetch(url, init);
      opened.push({ path: url.slice(platform.url.length), lastEventId: headers.get('last-event-id') });
      const signals = [cable.signal, init.signal].filter((signal) => signal instanceof AbortSignal);
      return fetch(url, { ...init, signal: AbortSignal.any(signals) });
    },
  });
  const cut = (): void => {
    const old = cable;
    cable = new AbortController();
    old.abort(new TypeError('terminated'));
  };
  return { client, opened, cut };
};

const raise = async (client: Client, cardId: string): Promise<string> =>
  (await client.sandbox.createChallenge({ cardId, ...PAYMENT })).challengeId;

describe('a stream', { timeout: 60_000 }, () => {
  it('goes on after the last event when the connection is lost, and misses nothing', async () => {
    const { client, opened, cut } = open();
    await signUp(client);
    const cardId = await cardWithMoney(client);
    const expected = [await raise(client, cardId)];
    const seen: string[] = [];
    const states: string[] = [];
    let readyCount = 0;
    const onState = (state: string): void => void states.push(state);
    for await (const { event, data } of client.threeDs.watchChallenges({}, { onState })) {
      if (event === 'challenge') seen.push(data.challenge.id);
      if (event !== 'ready') continue;
      readyCount += 1;
      if (readyCount === 3) break;
      cut();
      // While nobody listens.
      expected.push(await raise(client, cardId));
    }
    expect(seen).toEqual(expected);
    expect(states).toEqual(['open', 'waiting', 'open', 'waiting', 'open']);
    expect(opened.map(({ lastEventId }) => lastEventId === null)).toEqual([true, false, false]);
  });

  it('of a person’s events has all of them once, in order, however often it breaks', async () => {
    const { client, cut } = open();
    await signUp(client);
    const cardId = await cardWithMoney(client);
    const seen: string[] = [];
    let rounds = 0;
    for await (const event of client.events.watchUserEvents()) {
      if (event.event !== 'checkpoint') {
        seen.push(event.data.id);
        if (event.event === 'card.stolen') break;
        continue;
      }
      rounds += 1;
      if (rounds > 2) continue;
      cut();
      if (rounds === 1) await client.cards.freezeCard({ cardId });
      if (rounds === 2) await client.cards.reportCardStolen({ cardId });
    }
    const pages = await Array.fromAsync(client.events.listUserEvents({ limit: 2 }), ({ id }) => id);
    expect(seen).toEqual(pages.slice(0, seen.length));
    expect(seen.length).toBeGreaterThan(3);
  });

  it('goes on after an event of an earlier run', async () => {
    const { client } = open();
    await signUp(client);
    await cardWithMoney(client);
    const first = await client.events.listUserEvents({ limit: 1 });
    for await (const event of client.events.watchUserEvents({}, { lastEventId: first.cursor })) {
      if (event.event === 'checkpoint') continue;
      expect(event.data.previousSequence).toBe(first.data[0]?.sequence);
      break;
    }
  });

  it('throws what a new connection cannot cure: the session has ended', async () => {
    const { client } = open();
    await signUp(client);
    const read = async (): Promise<void> => {
      for await (const { event } of client.threeDs.watchChallenges()) if (event === 'ready') await client.auth.logoutAll();
    };
    await expect(read()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('ends without an error when it is aborted', async () => {
    const { client } = open();
    await signUp(client);
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const { event } of client.threeDs.watchChallenges({}, { signal: controller.signal })) {
      seen.push(event);
      controller.abort();
    }
    expect(seen).toEqual(['ready']);
  });

  it('is rejected with the codes of its operation', async () => {
    const { client } = open();
    await signUp(client);
    const read = () => Array.fromAsync(client.events.watchUserEvents({ types: 'no.such_type' }));
    await expect(read()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining('types') });
  });
});
