import { randomUUID } from 'node:crypto';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { passesLuhn } from '@florin/rpc/observe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Vault, type World } from '../testing/world.ts';

let world: World;
let vault: Vault;

beforeAll(async () => {
  world = await createWorld();
  vault = await world.start();
});
afterAll(() => world.close());

const order = (change: object = {}) => ({ cardId: randomUUID(), userId: randomUUID(), expMonth: 12, expYear: 2030, ...change });

describe('IssueCardNumber', () => {
  it('returns the face of a card with a test number, the same on each repeat', async () => {
    const request = order();
    const { face } = await vault.numbers.issueCardNumber(request, vault.processor);
    expect(face).toMatchObject({ expMonth: 12, expYear: 2030, network: 'visa' });
    expect(face?.last4).toMatch(/^\d{4}$/);
    expect((await vault.numbers.issueCardNumber(request, vault.processor)).face).toEqual(face);
  });

  it('makes one number for concurrent orders of the same card on two vaults, and keeps no claim but its own', async () => {
    const other = await world.start();
    const request = order();
    const faces = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? vault : other).numbers.issueCardNumber(request, vault.processor)),
    );
    expect(new Set(faces.map(({ face }) => face?.last4)).size).toBe(1);
    expect(await world.collection('pan_claims').countDocuments({ cardId: request.cardId })).toBe(1);
    await other.close();
  });

  it('rejects another holder or an expiry after the card’s', async () => {
    const request = order();
    await vault.numbers.issueCardNumber(request, vault.processor);
    for (const change of [{ userId: randomUUID() }, { expYear: 2031 }]) {
      await expect(vault.numbers.issueCardNumber({ ...request, ...change }, vault.processor)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    }
  });

  it.each([{ cardId: 'x' }, { userId: '' }, { expMonth: 0 }, { expMonth: 13 }, { expYear: 1999 }, { expYear: 2100 }])(
    'rejects %j',
    async (change) => {
      await expect(vault.numbers.issueCardNumber(order(change), vault.processor)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  it('requires its scope', async () => {
    const stranger = await vault.asService('stranger', Object.values(VAULT_SCOPES));
    await expect(vault.numbers.issueCardNumber(order(), stranger)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const person = await vault.newPerson();
    await expect(vault.numbers.issueCardNumber(order(), person.options)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('gives a number to one card only, and says when a range has no more', async () => {
    // The source of randomness repeats itself: every card would get the same number.
    const stuck = await world.start({ runtime: { now: world.clock.now, randomInt: () => 7 } });
    await stuck.numbers.issueCardNumber(order(), vault.processor);
    await expect(stuck.numbers.issueCardNumber(order(), vault.processor)).rejects.toMatchObject({ code: 'CARD_NUMBERS_EXHAUSTED' });
    await stuck.close();
  });

  it('takes the next range when the first has no more', async () => {
    const ranges = [
      { prefix: '40000099999', network: 'visa' },
      { prefix: '555550', network: 'mastercard' },
    ];
    const two = await world.start({
      env: { CARD_RANGES: JSON.stringify(ranges) },
      runtime: { now: world.clock.now, randomInt: () => 1 },
    });
    expect((await two.numbers.issueCardNumber(order(), vault.processor)).face?.network).toBe('visa');
    expect((await two.numbers.issueCardNumber(order(), vault.processor)).face?.network).toBe('mastercard');
    await two.close();
  });

  it('frees the number of an order that was killed before the card was stored, and keeps those of cards', async () => {
    const request = order();
    await vault.numbers.issueCardNumber(request, vault.processor);
    const claims = world.collection('pan_claims');
    const own = await claims.findOne({ cardId: request.cardId });
    // As a kill after the claim, and one after the card, leave them.
    const old = new Date(world.clock.now().getTime() - 3_600_000);
    await claims.insertOne({ _id: 'orphan', cardId: randomUUID(), pendingSince: old });
    await claims.updateOne({ _id: own?._id ?? '' }, { $set: { pendingSince: old } });
    await claims.insertOne({ _id: 'fresh', cardId: randomUUID(), pendingSince: world.clock.now() });
    const sweeping = await world.start({ intervalMs: 50 });
    await expect.poll(() => claims.countDocuments({ pendingSince: { $exists: true } })).toBe(1);
    expect(await claims.findOne({ _id: 'orphan' })).toBeNull();
    expect(await claims.findOne({ cardId: request.cardId })).toEqual({ _id: own?._id, cardId: request.cardId });
    expect(await claims.findOne({ _id: 'fresh' })).not.toBeNull();
    await sweeping.close();
  });
});

describe('RenewCardNumber', () => {
  it('moves the expiry, keeps the number and changes the security code; a repeat changes nothing', async () => {
    const person = await vault.newPerson();
    const before = await person.view();
    const renewal = { cardId: person.cardId, expMonth: 11, expYear: 2034 };
    for (let round = 0; round < 2; round += 1) {
      const { face } = await vault.numbers.renewCardNumber(renewal, vault.processor);
      expect(face).toMatchObject({ expMonth: 11, expYear: 2034 });
    }
    const after = await person.view();
    expect(after).toMatchObject({ pan: before['pan'], expMonth: 11, expYear: 2034 });
    expect(passesLuhn(String(after['pan']))).toBe(true);
  });

  it('rejects an earlier expiry and an unknown card', async () => {
    const { cardId } = await vault.newPerson();
    const renew = (request: object) => vault.numbers.renewCardNumber({ cardId, expMonth: 12, expYear: 2030, ...request }, vault.processor);
    await expect(renew({ expMonth: 11 })).rejects.toMatchObject({ code: 'CARD_STATE_CONFLICT' });
    await expect(renew({ cardId: randomUUID() })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    await expect(renew({ expMonth: 14 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
