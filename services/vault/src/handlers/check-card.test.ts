import { randomUUID } from 'node:crypto';
import { CheckResult } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { loadConfig } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configShape } from '../config.ts';
import { createFileKeyManagement } from '../ports/file-key-management.ts';
import { createAppKey, sealTo } from '../testing/app-key.ts';
import { createWorld, type Vault, type World } from '../testing/world.ts';

const { BLOCKED, MATCH, NO_MATCH, UNSPECIFIED } = CheckResult;

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
    await setPin('8971');
    const opens = () => unwrapped.filter((context) => context.includes(cardId)).length;
    const before = opens();
    await check(cardId, { pan: '4000001234567899', expMonth: 12, expYear: 2030, pin: '8971' });
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

  it.each([
    [{ expMonth: 12, expYear: 30 }, 'expYear'],
    [{ pin: 1234 }, 'pin'],
  ])('names the member of %j that does not fit, and nothing that was sent', async (content, field) => {
    const { cardId } = await vault.newPerson();
    const rejected = { code: 'SEALED_MESSAGE_INVALID', metadata: { field } };
    await expect(check(cardId, content)).rejects.toMatchObject(rejected);
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

describe('the check of a security code', () => {
  const guessAt = async (numbers: Vault['numbers'], cardId: string, cvv2: string, checkId: string = randomUUID()) => {
    const jwe = await sealTo(await vault.vaultKey(), JSON.stringify({ cvv2 }));
    return (await numbers.checkCard({ cardId, checkId, jwe }, vault.processor)).cvv2;
  };
  const guess = (cardId: string, cvv2: string, checkId?: string) => guessAt(vault.numbers, cardId, cvv2, checkId);
  /** Codes that are not the card's. */
  const wrongCodes = (cvv2: string, count: number) =>
    Array.from({ length: count }, (_, index) => String((Number(cvv2) + 1 + index) % 1000).padStart(3, '0'));

  it('blocks the right code too after five wrong ones, until the next day', async () => {
    const clock = { now: new Date('2026-05-07T10:00:00Z') };
    const timed = await world.start({ runtime: { now: () => clock.now } });
    const { cardId, view } = await vault.newPerson();
    const cvv2 = String((await view()).cvv2);
    expect(await guessAt(timed.numbers, cardId, cvv2)).toBe(MATCH);
    for (const wrong of wrongCodes(cvv2, 5)) expect(await guessAt(timed.numbers, cardId, wrong)).toBe(NO_MATCH);
    expect(await guessAt(timed.numbers, cardId, cvv2)).toBe(BLOCKED);
    clock.now = new Date('2026-05-08T00:00:00Z');
    expect(await guessAt(timed.numbers, cardId, cvv2)).toBe(MATCH);
    await timed.close();
  });

  it('compares no more than five of many concurrent wrong guesses, on two vaults', async () => {
    const other = await world.start();
    const { cardId, view } = await vault.newPerson();
    const cvv2 = String((await view()).cvv2);
    const guesses = await Promise.all(
      wrongCodes(cvv2, 30).map((wrong, index) => guessAt((index % 2 === 0 ? vault : other).numbers, cardId, wrong)),
    );
    expect(guesses.filter((result) => result === NO_MATCH)).toHaveLength(5);
    expect(guesses.filter((result) => result === BLOCKED)).toHaveLength(25);
    await other.close();
  });

  it('returns the first result to the repeat of a check, and counts it once', async () => {
    const { cardId, view } = await vault.newPerson();
    const cvv2 = String((await view()).cvv2);
    const [wrong = '', ...others] = wrongCodes(cvv2, 5);
    const checkId = randomUUID();
    const repeats = await Promise.all(Array.from({ length: 8 }, () => guess(cardId, wrong, checkId)));
    expect(new Set(repeats)).toEqual(new Set([NO_MATCH]));
    expect(await guess(cardId, cvv2, checkId)).toBe(NO_MATCH);
    for (const code of others) expect(await guess(cardId, code)).toBe(NO_MATCH);
    expect(await guess(cardId, cvv2)).toBe(BLOCKED);
    expect(await guess(cardId, wrong, checkId)).toBe(NO_MATCH);
  });

  it('leaves number, expiry and PIN open', async () => {
    const { cardId, view, setPin } = await vault.newPerson();
    await setPin('8971');
    const { pan, ...rest } = await view();
    const cvv2 = String(rest.cvv2);
    for (const wrong of wrongCodes(cvv2, 5)) await guess(cardId, wrong);
    expect(await check(cardId, { pan, cvv2, expMonth: 12, expYear: 2030, pin: '8971' })).toMatchObject({
      pan: MATCH,
      expiry: MATCH,
      cvv2: BLOCKED,
      pin: MATCH,
    });
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
