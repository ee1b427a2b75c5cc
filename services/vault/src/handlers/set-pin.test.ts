import { randomUUID } from 'node:crypto';
import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { CheckResult } from '@florin/proto/vault/v1/card_number_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGuessedFirst } from '../domain/pin.ts';
import { createAppKey, sealTo } from '../testing/app-key.ts';
import { createWorld, type Person, type Vault, type World } from '../testing/world.ts';

let world: World;
let vault: Vault;

beforeAll(async () => {
  world = await createWorld();
  vault = await world.start();
});
afterAll(() => world.close());

const checkPin = async (cardId: string, pin: string, checkId: string = randomUUID()) => {
  const jwe = await sealTo(await vault.vaultKey(), JSON.stringify({ pin }));
  return vault.numbers.checkCard({ cardId, checkId, jwe }, vault.processor);
};

describe('SetPin', () => {
  it('sets a PIN that is shown to the cardholder and checked for the processor', async () => {
    const person = await vault.newPerson();
    await person.setPin('8302');
    expect(await person.view(CardDataAction.VIEW_PIN)).toEqual({ pin: '8302' });
    expect((await checkPin(person.cardId, '8302')).pin).toBe(CheckResult.MATCH);
    await person.setPin('8516');
    expect((await checkPin(person.cardId, '8302')).pin).toBe(CheckResult.NO_MATCH);
  });

  it('accepts the repeat of a request whose answer was lost, without effect', async () => {
    const person = await vault.newPerson();
    const { typedData, signature } = await person.challenge(CardDataAction.SET_PIN);
    const jwe = await sealTo(await vault.vaultKey(), await person.appKey.sign({ pin: '8302', nonce: typedData.nonce }));
    const request = { cardId: person.cardId, signature, jwe };
    await vault.data.setPin(request, person.options);
    await checkPin(person.cardId, '9135');
    await vault.data.setPin(request, person.options);
    expect((await checkPin(person.cardId, '9135')).pinTriesLeft).toBe(1);
    expect((await vault.data.listCardDataAccess({}, person.options)).accesses).toHaveLength(1);
  });

  it.each(['0000', '1234', '1984'])('rejects %s, which is guessed first, and takes another one with the same signature', async (simple) => {
    const person = await vault.newPerson();
    const { typedData, signature } = await person.challenge(CardDataAction.SET_PIN);
    const seal = async (pin: string) => sealTo(await vault.vaultKey(), await person.appKey.sign({ pin, nonce: typedData.nonce }));
    const set = async (pin: string) => vault.data.setPin({ cardId: person.cardId, signature, jwe: await seal(pin) }, person.options);
    await expect(set(simple)).rejects.toMatchObject({ code: 'PIN_TOO_SIMPLE' });
    await set('8302');
  });

  it('uses the signature up, counts and records it, before it tells that a PIN stands in the number', async () => {
    const person = await vault.newPerson();
    const { pan } = await person.view();
    const { typedData, signature } = await person.challenge(CardDataAction.SET_PIN);
    const seal = async (pin: string) => sealTo(await vault.vaultKey(), await person.appKey.sign({ pin, nonce: typedData.nonce }));
    const set = async (pin: string) => vault.data.setPin({ cardId: person.cardId, signature, jwe: await seal(pin) }, person.options);
    const part = Array.from({ length: 13 }, (_, at) => String(pan).slice(at, at + 4)).find((digits) => !isGuessedFirst(digits)) ?? '';
    await expect(set(part)).rejects.toMatchObject({ code: 'PIN_TOO_SIMPLE' });
    await expect(set(part)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await expect(set('8302')).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await expect(person.view(CardDataAction.VIEW_PIN)).rejects.toMatchObject({ code: 'PIN_NOT_SET' });
    const { accesses } = await vault.data.listCardDataAccess({}, person.options);
    expect(accesses.map(({ action }) => action)).toEqual([CardDataAction.SET_PIN, CardDataAction.VIEW_DETAILS]);
  });

  /** Attempts of a hostile gateway, which knows the vault's public key, the challenge and the signature. */
  it.each<[string, (nonce: string, person: Person) => Promise<string>, string?]>([
    ['is signed by another key', async (nonce) => (await createAppKey()).sign({ pin: '8302', nonce }), 'jwk'],
    ['is not signed', async (nonce) => JSON.stringify({ pin: '8302', nonce }), 'jws'],
    ['has another nonce', async (_nonce, { appKey }) => appKey.sign({ pin: '8302', nonce: '7' })],
    ['has no PIN', async (nonce, { appKey }) => appKey.sign({ nonce }), 'pin'],
    ['has letters', async (nonce, { appKey }) => appKey.sign({ pin: '83a2', nonce }), 'pin'],
    ['has six digits', async (nonce, { appKey }) => appKey.sign({ pin: '830271', nonce }), 'pin'],
  ])('rejects a message that %s, and names the member', async (_what, make, field) => {
    const person = await vault.newPerson();
    const { typedData, signature } = await person.challenge(CardDataAction.SET_PIN);
    const jwe = await sealTo(await vault.vaultKey(), await make(typedData.nonce, person));
    const set = vault.data.setPin({ cardId: person.cardId, signature, jwe }, person.options);
    const rejected = field === undefined ? { code: 'INVALID_SIGNATURE' } : { code: 'SEALED_MESSAGE_INVALID', metadata: { field } };
    await expect(set).rejects.toMatchObject(rejected);
    await expect(person.view(CardDataAction.VIEW_PIN)).rejects.toMatchObject({ code: 'PIN_NOT_SET' });
  });

  it('rejects a message to another key, with another algorithm, or changed on the way', async () => {
    const person = await vault.newPerson();
    const { typedData, signature } = await person.challenge(CardDataAction.SET_PIN);
    const signed = await person.appKey.sign({ pin: '8302', nonce: typedData.nonce });
    const key = await vault.vaultKey();
    const good = await sealTo(key, signed);
    const messages = [
      await sealTo((await createAppKey()).jwk, signed),
      await sealTo(key, signed, 'ECDH-ES', 'A128GCM'),
      `${good.slice(0, -4)}AAAA`,
    ];
    for (const jwe of messages) {
      const set = vault.data.setPin({ cardId: person.cardId, signature, jwe }, person.options);
      await expect(set).rejects.toMatchObject({ code: 'SEALED_MESSAGE_INVALID', metadata: { field: 'jwe' } });
    }
    const wrapped = await sealTo(key, signed, 'ECDH-ES+A256KW');
    for (const jwe of [wrapped, 'x', `${good}.x`, 'a'.repeat(5000)]) {
      const set = vault.data.setPin({ cardId: person.cardId, signature, jwe }, person.options);
      await expect(set).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});

describe('the check of a PIN', () => {
  it('blocks the PIN after three wrong tries in a row, until it is unblocked', async () => {
    const { cardId, setPin } = await vault.newPerson();
    await setPin('8302');
    expect(await checkPin(cardId, '1111')).toMatchObject({ pin: CheckResult.NO_MATCH, pinTriesLeft: 2 });
    expect(await checkPin(cardId, '8302')).toMatchObject({ pin: CheckResult.MATCH, pinTriesLeft: 3 });
    for (const left of [2, 1, 0]) expect((await checkPin(cardId, '1111')).pinTriesLeft).toBe(left);
    expect(await checkPin(cardId, '8302')).toMatchObject({ pin: CheckResult.BLOCKED, pinTriesLeft: 0 });
    await vault.numbers.unblockPin({ cardId }, vault.processor);
    expect((await checkPin(cardId, '8302')).pin).toBe(CheckResult.MATCH);
  });

  it('compares no more than three of many concurrent guesses, on two vaults', async () => {
    const other = await world.start();
    const { cardId, setPin } = await vault.newPerson();
    await setPin('8302');
    const key = await vault.vaultKey();
    const guesses = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const jwe = await sealTo(key, JSON.stringify({ pin: String(1000 + index) }));
        return (index % 2 === 0 ? vault : other).numbers.checkCard({ cardId, checkId: randomUUID(), jwe }, vault.processor);
      }),
    );
    expect(guesses.filter(({ pin }) => pin === CheckResult.NO_MATCH)).toHaveLength(3);
    expect(guesses.filter(({ pin }) => pin === CheckResult.BLOCKED)).toHaveLength(27);
    await other.close();
  });

  it('counts the repeat of a check once', async () => {
    const { cardId, setPin } = await vault.newPerson();
    await setPin('8302');
    const checkId = randomUUID();
    const repeats = await Promise.all(Array.from({ length: 8 }, () => checkPin(cardId, '1111', checkId)));
    for (const repeat of repeats) expect(repeat).toMatchObject({ pin: CheckResult.NO_MATCH, pinTriesLeft: 2 });
  });

  it('rejects a check under the id of one with another PIN, right or wrong, and counts nothing', async () => {
    const { cardId, setPin } = await vault.newPerson();
    await setPin('8302');
    const [right, wrong] = [randomUUID(), randomUUID()];
    expect(await checkPin(cardId, '8302', right)).toMatchObject({ pin: CheckResult.MATCH });
    expect(await checkPin(cardId, '1111', wrong)).toMatchObject({ pin: CheckResult.NO_MATCH });
    await expect(checkPin(cardId, '1111', right)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await expect(checkPin(cardId, '2222', wrong)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await checkPin(cardId, '2222')).toMatchObject({ pin: CheckResult.NO_MATCH, pinTriesLeft: 1 });
  });

  it('says so when there is no PIN', async () => {
    const { cardId } = await vault.newPerson();
    expect(await checkPin(cardId, '8302')).toMatchObject({ pin: CheckResult.NOT_SET, pinTriesLeft: 0 });
    await expect(vault.numbers.unblockPin({ cardId }, vault.processor)).rejects.toMatchObject({ code: 'PIN_NOT_SET' });
    await expect(vault.numbers.unblockPin({ cardId: randomUUID() }, vault.processor)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
  });
});
