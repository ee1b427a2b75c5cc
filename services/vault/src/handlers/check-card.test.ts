import { randomUUID } from 'node:crypto';
import { CheckResult } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { loadConfig } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configShape } from '../config.ts';
import { createFileKeyManagement } from '../ports/file-key-management.ts';
import { createAppKey, sealTo } from '../testing/app-key.ts';
import { createWorld, type Vault, type World } from '../testing/world.ts';

const { MATCH, NO_MATCH, UNSPECIFIED } = CheckResult;

let world: World;
let vault: Vault;
/** Contexts of the data keys that were unwrapped. */
const unwrapped: string[] = [];

beforeAll(async () => {
  world = await createWorld();
  const kms = createFileKeyManagement(loadConfig(configShape, world.environment).VAULT_MASTER_KEYS);
  const unwrap: typeof kms.unwrap = async (wrapped, context) => {
    unwrapped.push(context);
    return kms.unwrap(wrapped, context);
  };
  vault = await world.start({ kms: { ...kms, unwrap } });
});
afterAll(() => world.close());

const check = async (cardId: string, content: unknown) => {
  const jwe = await sealTo(await vault.vaultKey(), JSON.stringify(content));
  return vault.numbers.checkCard({ cardId, checkId: randomUUID(), jwe }, vault.processor);
};

describe('CheckCard', () => {
  it('compares what was sent, and only that', async () => {
    const { cardId, view } = await vault.newPerson();
    const { pan, cvv2 } = await view();
    expect(await check(cardId, { pan, cvv2, expMonth: 12, expYear: 2030 })).toMatchObject({
      pan: MATCH,
      cvv2: MATCH,
      expiry: MATCH,
      pin: UNSPECIFIED,
    });
    expect(await check(cardId, { cvv2 })).toMatchObject({ pan: UNSPECIFIED, cvv2: MATCH, expiry: UNSPECIFIED });
    const wrong = String((Number(cvv2) + 1) % 1000).padStart(3, '0');
    expect(await check(cardId, { cvv2: wrong, expMonth: 11, expYear: 2030 })).toMatchObject({ cvv2: NO_MATCH, expiry: NO_MATCH });
    expect((await check(cardId, { pan: '4000001234567899' })).pan).toBe(NO_MATCH);
  });

  it('decrypts the number only to compare a security code', async () => {
    const { cardId, setPin } = await vault.newPerson();
    await setPin('3971');
    const opens = () => unwrapped.filter((context) => context.includes(cardId)).length;
    const before = opens();
    await check(cardId, { pan: '4000001234567899', expMonth: 12, expYear: 2030, pin: '3971' });
    expect(opens()).toBe(before);
    await check(cardId, { cvv2: '123' });
    expect(opens()).toBe(before + 1);
  });

  it.each([
    [{}],
    [{ pan: '4000' }],
    [{ cvv2: '12' }],
    [{ expMonth: 12 }],
    [{ expMonth: 13, expYear: 2030 }],
    [{ pin: 1234 }],
    ['x'],
    [null],
  ])('rejects the content %j', async (content) => {
    const { cardId } = await vault.newPerson();
    await expect(check(cardId, content)).rejects.toMatchObject({ code: 'SEALED_MESSAGE_INVALID' });
  });

  it('rejects an unknown card, and callers without the scope', async () => {
    await expect(check(randomUUID(), { cvv2: '123' })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    const { cardId, options } = await vault.newPerson();
    const jwe = await sealTo(await vault.vaultKey(), '{"cvv2":"123"}');
    for (const caller of [options, await vault.asService('card', [VAULT_SCOPES.writeCardNumbers])]) {
      await expect(vault.numbers.checkCard({ cardId, checkId: randomUUID(), jwe }, caller)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('FindCard', () => {
  const find = async (content: object) =>
    vault.numbers.findCard({ jwe: await sealTo(await vault.vaultKey(), JSON.stringify(content)) }, vault.processor);

  it('finds the card of a number', async () => {
    const { cardId, view } = await vault.newPerson();
    const { pan } = await view();
    expect((await find({ pan })).cardId).toBe(cardId);
    await expect(find({ pan: '4000001234567899' })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    await expect(find({ pan: 'x' })).rejects.toMatchObject({ code: 'SEALED_MESSAGE_INVALID' });
  });
});

describe('SealCardNumber', () => {
  it('gives the processor’s key what the cardholder sees, and records it', async () => {
    const processor = await createAppKey();
    const configured = await world.start({ env: { PROCESSOR_KEY: processor.keyJson } });
    const { cardId, view, options } = await vault.newPerson();
    const { jwe } = await configured.numbers.sealCardNumber({ cardId }, vault.processor);
    expect(await processor.open(jwe)).toEqual(await view());
    const { accesses } = await vault.data.listCardDataAccess({}, options);
    expect(accesses.at(-1)).toMatchObject({ cardId, thumbprint: processor.thumbprint, wallet: '' });
    await expect(configured.numbers.sealCardNumber({ cardId: randomUUID() }, vault.processor)).rejects.toMatchObject({
      code: 'CARD_NOT_FOUND',
    });
    await configured.close();
  });

  it('is rejected without a processor’s key', async () => {
    const { cardId } = await vault.newPerson();
    await expect(vault.numbers.sealCardNumber({ cardId }, vault.processor)).rejects.toMatchObject({ code: 'PROCESSOR_KEY_NOT_CONFIGURED' });
  });
});
