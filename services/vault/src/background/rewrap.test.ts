import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, newMasterKey, type Vault, type World } from '../testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const usage = async (vault: Vault) => {
  const { keys } = await vault.numbers.getKeyUsage({}, vault.processor);
  return Object.fromEntries(keys.map(({ keyId, cards, vaultKeys, current }) => [keyId, { cards: Number(cards), vaultKeys, current }]));
};

describe('a new key-encryption key', () => {
  it('protects everything soon, while cards are issued and shown by vaults with the old and the new configuration', async () => {
    const [oldKey, newKey] = [world.masterKey, newMasterKey('k2')];
    const keys = (...list: object[]) => ({ VAULT_MASTER_KEYS: JSON.stringify(list) });
    const before = await world.start();
    const people = await Promise.all(Array.from({ length: 12 }, () => before.newPerson()));
    const shown = await Promise.all(people.map(({ view }) => view()));
    const stored = await world.collection('cards').find().toArray();

    // Both keys are known everywhere before one of them becomes the current one.
    const old = await world.start({ env: keys(oldKey, newKey) });
    await before.close();
    const current = await world.start({ env: keys(newKey, oldKey), intervalMs: 50 });
    const issued = await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? old : current).newPerson()));
    await old.close();

    await expect
      .poll(() => usage(current))
      .toEqual({ k1: { cards: 0, vaultKeys: 0, current: false }, k2: { cards: 18, vaultKeys: 4, current: true } });
    await current.close();

    // The old key is gone.
    const after = await world.start({ env: keys(newKey) });
    for (const [index, { cardId }] of people.entries()) {
      const document = await world.collection('cards').findOne({ _id: cardId });
      // Only the wrapping changed: the ciphertext of the number is the same.
      expect(document?.['pan']).toBe(stored.find(({ _id }) => _id === cardId)?.['pan']);
      expect(shown[index]?.['pan']).toMatch(/^400000/);
    }
    const [again] = await Promise.all([after.newPerson()]);
    expect(await again.view()).toHaveProperty('pan');
    expect(issued).toHaveLength(6);
    await after.close();
  });
});

describe('the key-encryption keys', () => {
  it('are needed: a vault without the one that protects its keys does not start', async () => {
    await expect(world.start({ env: { VAULT_MASTER_KEYS: JSON.stringify([newMasterKey('other')]) } })).rejects.toThrow(/k2/);
  });

  it.each(['', 'k1', '[]', '[{"id":"k1","key":"short"}]'])('reject %j', async (text) => {
    await expect(world.start({ env: { VAULT_MASTER_KEYS: text } })).rejects.toThrow(/^VAULT_MASTER_KEYS: /);
  });
});

describe('outside the sandbox', () => {
  it('number ranges must be configured', async () => {
    await expect(world.start({ env: { SANDBOX: 'false' } })).rejects.toThrow(/^CARD_RANGES: /);
  });
});
