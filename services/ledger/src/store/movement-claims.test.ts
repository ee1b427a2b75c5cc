import { openStore } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ledgerEnvironment } from '../testing/world.ts';
import { createMovementClaims, type MovementClaims } from './movement-claims.ts';

const environment = ledgerEnvironment();
let store: Awaited<ReturnType<typeof openStore>>;
let claims: MovementClaims;
beforeAll(async () => {
  store = await openStore({
    uri: environment['MONGODB_URI'] ?? '',
    database: environment['MONGODB_DATABASE'] ?? '',
    poolSize: 2,
    logger: quietLogger,
  });
  claims = createMovementClaims(store.connection);
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

it('binds an id that another account released while it was being claimed', async () => {
  expect(await claims.claim('deposits', 'one', 'a')).toBe('a');
  const { collection } = store.connection.model('MovementClaim');
  const find = collection.findOne.bind(collection) as (...args: unknown[]) => Promise<never>;
  vi.spyOn(collection, 'findOne').mockImplementationOnce(async (...args: unknown[]) => {
    await claims.release('deposits', 'one', 'a');
    return find(...args);
  });
  expect(await claims.claim('deposits', 'one', 'b')).toBe('b');
  expect(await claims.accountOf('deposits', 'one')).toBe('b');
  expect(await claims.claim('deposits', 'one', 'c')).toBe('b');
});
