import { type EventStream, openEventStream, waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { type Challenge, type ChallengeDetail, createCard, decide, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

let platform: PlatformInProcess;
const streams: EventStream[] = [];
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});
afterAll(() => platform?.close());

const newPerson = async () => {
  const person = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, person.token);
  return { person, raise: (more: object = {}) => raiseChallenge(platform.api, person.token, cardId, more) };
};
const watch = async (person: Person, lastEventId?: string) => {
  const stream = await openEventStream(`${platform.url}/3ds/challenges/events`, person.token, lastEventId);
  streams.push(stream);
  await stream.until('ready', ({ event }) => event === 'ready');
  return stream;
};
const challengeIn = (data: unknown): Challenge | undefined => (data as Partial<ChallengeDetail>).challenge;
const until = (stream: EventStream, id: string, status: string) =>
  stream.until(`${id} ${status}`, ({ data }) => challengeIn(data)?.id === id && challengeIn(data)?.status === status);
/** Returns the challenge's status for a challenge event, otherwise `ready`. */
const storyOf = (stream: EventStream) => stream.events.map(({ event, data }) => challengeIn(data)?.status ?? event);

type Page = { data: Challenge[]; pagination: { nextCursor: string | null; hasNext: boolean } };
const list = async (person: Person, query = '') => platform.api.call<Page>('GET', `/3ds/challenges${query}`, { token: person.token });

describe('GET /3ds/challenges', () => {
  it('lists the caller’s challenges by status, newest first, in pages', async () => {
    const { person, raise } = await newPerson();
    const [first, second, third] = [await raise(), await raise({ expiresInSeconds: 60 }), await raise()];
    await decide(platform.api, person, first, 'decline');
    expect((await list(person)).data.map(({ id }) => id)).toEqual([third, second, first]);
    expect((await list(person, '?status=declined')).data).toMatchObject([{ id: first, decision: 'decline' }]);
    platform.clock.advanceSeconds(60);
    expect((await list(person, '?status=pending')).data.map(({ id }) => id)).toEqual([third]);
    const page = await list(person, '?limit=2');
    expect(page).toMatchObject({ data: [{ id: third }, { id: second, status: 'expired' }], pagination: { hasNext: true } });
    expect(await list(person, `?limit=2&cursor=${page.pagination.nextCursor}`)).toMatchObject({
      data: [{ id: first }],
      pagination: { nextCursor: null, hasNext: false },
    });
    const stranger = await registerPerson(platform.api);
    expect(await list(stranger)).toEqual({ data: [], pagination: { nextCursor: null, hasNext: false } });
    const request = (query: string) => platform.api.request('GET', `/3ds/challenges${query}`, { token: person.token });
    expectValidation(await request('?status=perhaps'), 'status');
    expectValidation(await request('?cursor=x'), 'cursor');
    expectCode(await platform.api.request('GET', '/3ds/challenges'), 401, 'UNAUTHORIZED');
  });
});

describe('GET /3ds/challenges/events', () => {
  it('sends an event when a challenge is created and when it ends', async () => {
    const { person, raise } = await newPerson();
    const waiting = await raise();
    const stream = await watch(person);
    const id = await raise();
    const { data } = await until(stream, id, 'pending');
    expect(data).toMatchObject({ serverTime: expect.stringMatching(/Z$/), challenge: { decisionAvailable: true, amount: '4999' } });
    await decide(platform.api, person, id, 'approve');
    await until(stream, id, 'approved');
    const told = stream.events.filter(({ data: one }) => challengeIn(one)?.id === id).map(({ data: one }) => challengeIn(one)?.status);
    // The sandbox leaves `processing` immediately, so that event may be missing.
    expect(told.filter((status) => status !== 'processing')).toEqual(['pending', 'approved']);
    expect(challengeIn(stream.events[0]?.data)?.id).toBe(waiting);
  });

  it('sends an event when the sweeper stores an expiry', async () => {
    const { person, raise } = await newPerson();
    const stream = await watch(person);
    const id = await raise({ expiresInSeconds: 30 });
    await until(stream, id, 'pending');
    platform.clock.advanceSeconds(30);
    await until(stream, id, 'expired');
    expect(storyOf(stream)).toEqual(['ready', 'pending', 'expired']);
  });

  it('resumes after a known last event and starts over after an unknown one', async () => {
    const { person, raise } = await newPerson();
    const stream = await watch(person);
    const [first, second] = [await raise(), await raise()];
    const { id: lastRead } = await until(stream, first, 'pending');
    await until(stream, second, 'pending');
    await stream.close();
    await decide(platform.api, person, first, 'approve');
    const ended = await watch(person, lastRead);
    await until(ended, first, 'approved');
    // The decision may be part of the replay or arrive as a live event.
    expect(ended.events.filter(({ event }) => event !== 'ready')).toMatchObject([
      { data: { challenge: { id: second, status: 'pending' } } },
      { data: { challenge: { id: first, status: 'approved' } } },
    ]);
    expect(ended.events.filter(({ event }) => event === 'ready')).toMatchObject([{ data: { snapshot: false } }]);
    const afresh = await watch(person, '1-1');
    // The event of the earlier decision may still arrive, after `ready`.
    expect(afresh.events.slice(0, 3)).toMatchObject([
      { event: 'reset', data: { code: 'LAST_EVENT_ID_UNKNOWN' } },
      { data: { challenge: { id: second } } },
      { event: 'ready', data: { snapshot: true } },
    ]);
  });

  it('never sends challenges of other users, from any position', async () => {
    const [{ person, raise }, { person: stranger, raise: raiseOwn }] = [await newPerson(), await newPerson()];
    const [own, foreign] = [await watch(person), await watch(stranger)];
    const id = await raise();
    const { id: eventId } = await until(own, id, 'pending');
    const ownId = await raiseOwn();
    await until(foreign, ownId, 'pending');
    const resumed = await watch(stranger, eventId);
    await waitFor('the own event', async () => resumed.events.find(({ data }) => challengeIn(data)?.id === ownId));
    for (const stream of [foreign, resumed]) expect(JSON.stringify(stream.events)).not.toContain(id);
  });
});
