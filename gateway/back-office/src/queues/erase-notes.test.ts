import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { type BatchGetUsersRequest, UserService } from '@florin/proto/identity/v1/user_service';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredQueueItem } from '../store/queue-items.ts';
import { createWorld, type World } from '../testing/world.ts';

/** More than one page of people whom identity does not know, and among them two who were erased. */
const UNKNOWN = Array.from({ length: 120 }, () => crypto.randomUUID());
const ERASED: readonly string[] = [crypto.randomUUID(), crypto.randomUUID()];

const asked: string[][] = [];
const authority = await createTestAuthority({ 'back-office': Object.values(IDENTITY_SCOPES) });
const identity = await startNeighbour({
  authority,
  name: 'identity',
  services: [
    implementPart(UserService, {
      batchGetUsers: serviceMethod(({ userIds }: BatchGetUsersRequest) => {
        asked.push(userIds);
        return { erasedUserIds: userIds.filter((id) => ERASED.includes(id)) };
      }),
    }),
  ],
});

let world: World;
beforeAll(async () => {
  world = await createWorld({ IDENTITY_URL: identity.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
});
afterAll(async () => {
  await world?.close();
  await identity.close();
});

it('deletes notes on people who were erased, and none on people whom identity does not know', async () => {
  const items = world.connection.collection<StoredQueueItem>('queue_items');
  const at = world.clock.now();
  const notes = [{ id: crypto.randomUUID(), at, by: crypto.randomUUID(), text: 'called about a payment' }];
  const [first = '', second = ''] = ERASED;
  const kept = [...UNKNOWN.map((id) => `people:${id}`), `kyc:${first}`];
  await items.insertMany([...kept, `people:${first}`, `people:${second}`].map((_id) => ({ _id, notes, updatedAt: at })));
  await world.start();
  const idsOf = async () => (await items.find().toArray()).map(({ _id }) => _id).sort();
  await expect.poll(idsOf).toEqual(kept.sort());
  // Of the two pages of people with notes; nobody else is asked about.
  await expect.poll(() => asked.map((ids) => ids.length)).toEqual([100, 22]);
});
