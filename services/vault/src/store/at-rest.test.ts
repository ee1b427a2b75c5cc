import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Vault, type World } from '../testing/world.ts';

let world: World;
let vault: Vault;

beforeAll(async () => {
  world = await createWorld();
  vault = await world.start();
});
afterAll(() => world.close());

describe('the database', () => {
  it('holds no number, security code or PIN in clear, and no key', async () => {
    const person = await vault.newPerson();
    const { pan } = await person.view();
    await person.setPin('8302');
    await person.view(CardDataAction.VIEW_PIN);
    const dump = await world.dump();
    // The check can fail: what may be stored is there.
    expect(dump).toContain(String(pan).slice(-4));
    expect(dump).toContain(person.cardId);
    expect(dump).not.toContain(String(pan));
    expect(dump).not.toContain(Buffer.from(String(pan)).toString('base64url'));
    expect(dump).not.toContain('"pin":"8302"');
    expect(dump).not.toMatch(/\b400000\d{10}\b/);
    expect(dump).not.toContain(world.masterKey.key);
  });

  it('does not decrypt a number that was moved to another card', async () => {
    const [one, two] = [await vault.newPerson(), await vault.newPerson()];
    const cards = world.collection('cards');
    const stored = await cards.findOne({ _id: one.cardId });
    await cards.updateOne({ _id: two.cardId }, { $set: { pan: stored?.['pan'], dataKey: stored?.['dataKey'] } });
    await expect(two.view()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await one.view()).toHaveProperty('pan');
  });
});

describe('the log', () => {
  it('never shows a number, security code or PIN', async () => {
    const lines: string[] = [];
    const record = (...parts: unknown[]) => lines.push(JSON.stringify(parts));
    const logger = {
      ...quietLogger,
      debug: record,
      info: record,
      warn: record,
      error: record,
      child: () => logger,
    } as unknown as typeof quietLogger;
    const loud = await world.start({ logger });
    const person = await loud.newPerson();
    const { pan } = await person.view();
    await person.setPin('8302');
    await expect(person.setPin('0000')).rejects.toMatchObject({ code: 'PIN_TOO_SIMPLE' });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain(String(pan));
    // Neither alone nor in a text; ids of requests may contain the digits.
    expect(lines.join('\n')).not.toMatch(/(?<![\da-f-])8302(?![\da-f-])|"0000"/);
    await loud.close();
  });
});
