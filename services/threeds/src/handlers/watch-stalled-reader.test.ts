import { Code } from '@connectrpc/connect';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { onBehalfOf } from '@florin/rpc/client';
import { openGrpcClient } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
/** Two instances on one database and one Redis: one writes, the other is watched. */
let writing: Instance;
let watching: Instance;

beforeAll(async () => {
  world = await createWorld();
  [writing, watching] = await Promise.all([world.start(), world.start()]);
});
afterAll(() => world.close());

describe('a stalled reader', () => {
  /** More than the connection (a window of 64 kB and some buffers) and a watcher (64 states) hold together. */
  const RAISED = 800;

  it('is disconnected and misses nothing when it resumes', async () => {
    const person = world.newPerson();
    const { client, close } = openGrpcClient(ChallengeService, watching.url);
    const token = await world.authority.userToken({ wallet: person.wallet.address, userId: person.userId });
    const stream = client.watchChallenges({}, onBehalfOf({ token, requestId: 'slow' }))[Symbol.asyncIterator]();
    let lastEventId = (await stream.next()).value?.eventId;
    const quick = watching.user(person).watchAll();
    await quick.until('ready', (messages) => (messages.length > 0 ? true : undefined));

    const ids = new Set<string>();
    while (ids.size < RAISED) {
      const some = await Promise.all(Array.from({ length: 20 }, () => writing.acs.create(world.payment(person))));
      for (const { id } of some) ids.add(id);
    }
    await quick.until('all of them', (messages) => (messages.length > RAISED ? true : undefined));

    const seen: string[] = [];
    const reading = async () => {
      for (;;) {
        const { value } = await stream.next();
        seen.push(value.challenge.id);
        lastEventId = value.eventId;
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: Code.Unavailable });
    expect(seen.length).toBeLessThan(RAISED);
    const resumed = watching.user(person).watchAll(lastEventId);
    await resumed.until('ready', (messages) => messages.find(({ challenge }) => challenge === undefined));
    const missed = resumed.messages.flatMap(({ challenge }) => challenge?.id ?? []);
    expect(new Set([...seen, ...missed])).toEqual(ids);
    await Promise.all([quick.stop(), resumed.stop()]);
    close();
  }, 60_000);
});
