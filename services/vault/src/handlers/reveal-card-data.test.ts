import { randomUUID } from 'node:crypto';
import { malleated, signTypedMessage } from '@florin/evm/testing';
import { CardActor, CardStatus } from '@florin/proto/card/v1/card';
import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { passesLuhn } from '@florin/rpc/observe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppKey } from '../testing/app-key.ts';
import { createWorld, type Person, type Vault, type World } from '../testing/world.ts';

const { VIEW_DETAILS, VIEW_PIN, SET_PIN, UNSPECIFIED } = CardDataAction;

let world: World;
let vault: Vault;

beforeAll(async () => {
  world = await createWorld();
  vault = await world.start();
});
afterAll(() => world.close());

const reveal = ({ cardId, appKey, options }: Person, signature: string, change: object = {}) =>
  vault.data.revealCardData({ cardId, action: VIEW_DETAILS, signature, keyJson: appKey.keyJson, ...change }, options);

describe('RevealCardData', () => {
  it('shows the card to the key that the wallet signed for', async () => {
    const person = await vault.newPerson();
    const shown = await person.view();
    expect(shown).toEqual({
      pan: expect.stringMatching(/^400000\d{10}$/),
      expMonth: 12,
      expYear: 2030,
      cvv2: expect.stringMatching(/^\d{3}$/),
    });
    expect(passesLuhn(String(shown['pan']))).toBe(true);
    expect(await person.view()).toEqual(shown);
  });

  it('uses up the signature: a replay is rejected, also by another vault', async () => {
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    await reveal(person, signature);
    await expect(reveal(person, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const other = await world.start();
    await expect(
      other.data.revealCardData({ cardId: person.cardId, action: VIEW_DETAILS, signature, keyJson: person.appKey.keyJson }, person.options),
    ).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await other.close();
  });

  it('lets one of many concurrent uses of a signature win', async () => {
    const other = await world.start();
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    const request = { cardId: person.cardId, action: VIEW_DETAILS, signature, keyJson: person.appKey.keyJson };
    const uses = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? vault : other).data.revealCardData(request, person.options)),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const use of uses) if (use.status === 'rejected') expect(use.reason).toMatchObject({ code: 'INVALID_SIGNATURE' });
    await other.close();
  });

  it.each<[string, (person: Person) => Promise<string>]>([
    ['another action', async (person) => (await person.challenge(VIEW_PIN)).signature],
    ['another key', async (person) => (await person.challenge(VIEW_DETAILS, await createAppKey())).signature],
    [
      'another wallet',
      async (person) => signTypedMessage((await vault.newPerson()).wallet, (await person.challenge(VIEW_DETAILS)).typedData),
    ],
    ['another card', async () => (await (await vault.newPerson()).challenge(VIEW_DETAILS)).signature],
    [
      'a changed text',
      async ({ challenge, wallet }) => signTypedMessage(wallet, { ...(await challenge(VIEW_DETAILS)).typedData, authorization: 'SHOW' }),
    ],
    [
      'another chain',
      async ({ challenge, wallet }) => signTypedMessage(wallet, { ...(await challenge(VIEW_DETAILS)).typedData, domainChainId: 1 }),
    ],
    [
      'another domain',
      async ({ challenge, wallet }) => signTypedMessage(wallet, { ...(await challenge(VIEW_DETAILS)).typedData, domainName: 'Florin 3DS' }),
    ],
    ['a malleable form', async (person) => malleated((await person.challenge(VIEW_DETAILS)).signature as `0x${string}`)],
    ['no challenge at all', async () => `0x${'11'.repeat(65)}`],
    ['not a signature', async () => 'hello'],
  ])('rejects a signature for %s, and leaves the challenge usable', async (_what, make) => {
    const person = await vault.newPerson();
    await expect(reveal(person, await make(person))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const { signature } = await person.challenge(VIEW_DETAILS);
    await expect(reveal(person, signature)).resolves.toBeDefined();
  });

  it('shows what the wallet has signed for, to the key that it has signed for, whatever the database says', async () => {
    const person = await vault.newPerson();
    const theirs = await createAppKey();
    const { signature } = await person.challenge(VIEW_PIN);
    const change = { 'challenges.0.action': 'view_details', 'challenges.0.thumbprint': theirs.thumbprint };
    await world.collection('cards').updateOne({ _id: person.cardId }, { $set: change });
    await expect(reveal(person, signature, { keyJson: theirs.keyJson })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('rejects an expired challenge, and one that five newer ones have displaced', async () => {
    const person = await vault.newPerson();
    const first = await person.challenge(VIEW_DETAILS);
    for (let count = 0; count < 5; count += 1) await person.challenge(VIEW_DETAILS);
    await expect(reveal(person, first.signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const late = await person.challenge(VIEW_DETAILS);
    world.clock.advanceSeconds(300);
    await expect(reveal(person, late.signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('rejects a wallet that was removed after it signed', async () => {
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    world.neighbours.wallets.set(person.userId, []);
    await expect(reveal(person, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('rejects a wallet during its cooling time', async () => {
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    world.neighbours.approvesFrom.set(person.wallet.address, new Date(world.clock.now().getTime() + 60_000));
    await expect(reveal(person, signature)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    world.clock.advanceSeconds(60);
    await expect(reveal(person, signature)).resolves.toBeDefined();
  });

  it('rejects keys that are not public P-256 keys', async () => {
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    const { jwk, secretJwk } = person.appKey;
    const keys = [
      secretJwk,
      { ...jwk, kty: 'RSA' },
      { ...jwk, crv: 'P-384' },
      { ...jwk, x: jwk.y, y: jwk.x },
      { ...jwk, x: 'short' },
      { ...jwk, y: undefined },
      null,
      [],
      'text',
    ];
    for (const key of keys) {
      await expect(reveal(person, signature, { keyJson: JSON.stringify(key) })).rejects.toMatchObject({ code: 'RECEIVING_KEY_INVALID' });
    }
    await expect(reveal(person, signature, { keyJson: '{' })).rejects.toMatchObject({ code: 'RECEIVING_KEY_INVALID' });
  });

  it.each([
    ['lost', { status: CardStatus.LOST }],
    ['cancelled', { status: CardStatus.CANCELLED }],
    ['frozen by the issuer', { status: CardStatus.FROZEN, frozenBy: CardActor.ISSUER }],
  ])('rejects a card that is %s', async (_what, state) => {
    const person = await vault.newPerson();
    const { signature } = await person.challenge(VIEW_DETAILS);
    world.neighbours.cards.set(person.cardId, { id: person.cardId, userId: person.userId, ...state });
    await expect(reveal(person, signature)).rejects.toMatchObject({ code: 'CARD_NOT_REVEALABLE' });
    await expect(person.challenge(VIEW_DETAILS)).rejects.toMatchObject({ code: 'CARD_NOT_REVEALABLE' });
  });

  it('shows a card that its cardholder has frozen', async () => {
    const person = await vault.newPerson();
    const state = { status: CardStatus.FROZEN, frozenBy: CardActor.CARDHOLDER };
    world.neighbours.cards.set(person.cardId, { id: person.cardId, userId: person.userId, ...state });
    expect(await person.view()).toHaveProperty('pan');
  });

  it('treats another user’s card like one that does not exist', async () => {
    const [person, thief] = [await vault.newPerson(), await vault.newPerson()];
    const { signature } = await person.challenge(VIEW_DETAILS);
    for (const cardId of [person.cardId, randomUUID()]) {
      await expect(reveal(thief, signature, { cardId })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
      const request = { cardId, action: VIEW_DETAILS, thumbprint: thief.appKey.thumbprint };
      await expect(vault.data.createCardDataChallenge(request, thief.options)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    }
  });

  it('shows a card ten times a day', async () => {
    const person = await vault.newPerson();
    const nearMidnight = new Date(world.clock.now());
    nearMidnight.setUTCHours(24, 0, 1, 0);
    world.clock.advanceSeconds((nearMidnight.getTime() - world.clock.now().getTime()) / 1000);
    for (let count = 0; count < 8; count += 1) await person.view();
    // Three at once, where two are left.
    const signatures = [await person.challenge(VIEW_DETAILS), await person.challenge(VIEW_DETAILS), await person.challenge(VIEW_DETAILS)];
    const last = await Promise.allSettled(signatures.map(({ signature }) => reveal(person, signature)));
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(last.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CARD_DATA_LIMIT_REACHED' } });
    world.clock.advanceSeconds(86_400);
    expect(await person.view()).toHaveProperty('pan');
  });

  it('rejects a missing PIN, and actions that it does not know', async () => {
    const person = await vault.newPerson();
    await expect(person.view(VIEW_PIN)).rejects.toMatchObject({ code: 'PIN_NOT_SET' });
    for (const action of [SET_PIN, UNSPECIFIED, 99 as CardDataAction]) {
      await expect(reveal(person, '0x', { action })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it.each(['', 'x'.repeat(43).replace('x', '+'), 'x'.repeat(44)])('rejects the thumbprint %j', async (thumbprint) => {
    const { cardId, options } = await vault.newPerson();
    const request = { cardId, action: VIEW_DETAILS, thumbprint };
    await expect(vault.data.createCardDataChallenge(request, options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('ListCardDataAccess', () => {
  it('shows the holder every use of a card, page by page, and nobody else', async () => {
    const person = await vault.newPerson();
    await person.view();
    await person.setPin('8302');
    await person.view(VIEW_PIN);
    const rows = [];
    for (let cursor = ''; ; ) {
      const { accesses, page } = await vault.data.listCardDataAccess({ page: { limit: 2, cursor } }, person.options);
      rows.push(...accesses);
      cursor = page?.nextCursor ?? '';
      if (cursor === '') break;
    }
    expect(rows.map(({ action }) => action)).toEqual([VIEW_PIN, SET_PIN, VIEW_DETAILS]);
    for (const row of rows) {
      expect(row).toMatchObject({ cardId: person.cardId, wallet: person.wallet.address, thumbprint: person.appKey.thumbprint });
    }
    const of = async ({ cardId }: { cardId: string }) => vault.data.listCardDataAccess({ cardId, page: { limit: 2 } }, person.options);
    expect((await of(person)).accesses).toHaveLength(2);
    const other = await vault.newPerson();
    await other.view();
    expect((await of(other)).accesses).toEqual([]);
    expect((await vault.data.listCardDataAccess({ cardId: person.cardId }, other.options)).accesses).toEqual([]);
    expect((await vault.data.listCardDataAccess({}, other.options)).accesses).toHaveLength(1);
  });

  it('gets the record of a reveal whose process was killed before it wrote it', async () => {
    const person = await vault.newPerson();
    await person.view();
    const log = world.collection('card_data_accesses');
    const record = await log.findOne({ cardId: person.cardId });
    if (record === null) throw new Error('the reveal left no record');
    const { _id, at, ...payload } = record;
    // As the kill leaves it: the event stands in the card's document, its record is missing.
    const id = randomUUID();
    const event = { id, type: 'card_data.details_viewed', at, payload };
    await world.collection('cards').updateOne({ _id: person.cardId }, { $set: { outbox: [event] } });
    await expect
      .poll(async () => (await vault.data.listCardDataAccess({}, person.options)).accesses.map((row) => row.id))
      .toEqual(expect.arrayContaining([_id, id]));
  });
});
