import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Calls } from '../testing/calls.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let app: Instance;
let other: Instance;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
  other = await world.start();
});
afterAll(() => world.close());

const TOKEN_SECONDS = 1;

type Open = (lastEventId: string) => ReturnType<Calls['watchAll']> | ReturnType<Calls['watchRaised']>;

/** Reads streams one after the other, each from where the one before it ended. */
const readOn = (open: Open) => {
  const ids: string[] = [];
  const ends: string[] = [];
  const gaps: string[] = [];
  let stopped = false;
  const run = async (): Promise<void> => {
    for (let lastEventId = ''; !stopped; ) {
      const stream = open(lastEventId);
      ends.push(await stream.untilEnd());
      for (const { eventId, challenge, gap } of stream.messages) {
        if (challenge !== undefined) ids.push(challenge.id);
        if (gap && lastEventId !== '') gaps.push(eventId);
        lastEventId = eventId;
      }
    }
  };
  const running = run();
  return {
    ids,
    ends,
    gaps,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
};

describe('streams that end with their tokens', () => {
  it.each<[string, (instance: Instance) => Open]>([
    ['all challenges', (instance) => instance.service('gateway', [THREEDS_SCOPES.watchChallenges], TOKEN_SECONDS).watchAll],
    ['the challenges of a service', (instance) => instance.service('acs', [THREEDS_SCOPES.writeChallenges], TOKEN_SECONDS).watchRaised],
  ])('are resumed on any instance without loss: %s', async (_what, openAt) => {
    // The position before the first change of all is one that cannot be resumed from.
    const { id: first } = await app.acs.create(world.payment(world.newPerson()));
    await waitFor('the first position', async () => ((await app.user(world.newPerson()).changes()).eventId === '0-0' ? undefined : first));
    let opened = 0;
    const reader = readOn((lastEventId) => {
      opened += 1;
      return openAt(opened % 2 === 0 ? other : app)(lastEventId);
    });
    const raised: string[] = [];
    await waitFor('three ends', async () => {
      raised.push((await app.acs.create(world.payment(world.newPerson()))).id);
      return reader.ends.length >= 3 ? true : undefined;
    });
    await waitFor('the last challenge', async () => (reader.ids.includes(raised.at(-1) ?? '') ? true : undefined));
    await reader.stop();
    expect(new Set(reader.ends)).toEqual(new Set(['UNAUTHORIZED']));
    expect(reader.gaps).toEqual([]);
    expect(reader.ids).toEqual(expect.arrayContaining(raised));
  });
});
