import { timestampDate } from '@bufbuild/protobuf/wkt';
import { CardStatus } from '@florin/proto/card/v1/card';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { systemRuntime } from '@florin/rpc/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReceipt } from '../receipts/check-receipt.ts';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let app: Instance;

beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
});
afterAll(() => world.close());

describe('CreateChallenge', () => {
  it('raises a pending challenge for the card’s user and account', async () => {
    const person = world.newPerson();
    const before = world.clock.now();
    const challenge = await app.acs.create({ ...world.payment(person), expiresInSeconds: 60 });
    expect(challenge).toMatchObject({
      cardId: person.cardId,
      accountId: person.accountId,
      amount: '1999',
      currency: 'EUR',
      decimals: 2,
      merchant: { id: 'M-1', displayName: 'Corner Shop', country: 'DE', categoryCode: '5411' },
      status: ChallengeStatus.PENDING,
      decision: Decision.UNSPECIFIED,
      decisionAvailable: true,
    });
    expect(challenge.expiresAt && timestampDate(challenge.expiresAt)).toEqual(new Date(before.getTime() + 60_000));
    expect(await app.user(person).get(challenge.id)).toEqual(challenge);
  });

  it('has a readable form of the merchant’s name and id, and repeats of the name as it was sent return it', async () => {
    const person = world.newPerson();
    const payment = { ...world.payment(person), merchant: { displayName: 'Аmazon (DE) Amount: 1.00 EUR "**** 0000"' } };
    const first = await app.acs.create(payment);
    expect(first.merchant?.displayName).toBe("А mazon [DE] Amount 1.00 EUR '* 0000'");
    expect(await app.acs.create(payment)).toEqual(first);
    const ids = { ...world.payment(person), merchant: { id: '1" Amount: 1.00 EUR **** 0' } };
    expect((await app.acs.create(ids)).merchant?.id).toBe("1' Amount 1.00 EUR * 0");
    const nameless = await app.acs.create({ ...world.payment(person), merchant: { displayName: '****' } });
    expect(nameless.merchant?.displayName).toBe('');
  });

  it('raises one without a payment, whose receipt can be verified', async () => {
    const person = world.newPerson();
    const none = { ...world.payment(person), amount: '', currency: '', decimals: 0 };
    const challenge = await app.acs.create(none);
    expect(challenge).toMatchObject({ amount: '', currency: '', decimals: 0, status: ChallengeStatus.PENDING });
    expect(await app.acs.create(none)).toEqual(challenge);
    expect(await app.user(person).decide(challenge.id, Decision.APPROVE, person.wallet)).toMatchObject({
      status: ChallengeStatus.APPROVED,
    });
    const findings = [];
    for await (const { text } of checkReceipt(await app.receiptJson(challenge.id))) findings.push(text);
    expect(findings).toContain('signed text: Amount: none');
    for (const odd of [{ currency: 'EUR' }, { amount: '1' }, { decimals: 2 }, { amount: '0', currency: 'EUR', decimals: 2 }]) {
      await expect(app.acs.create({ ...world.payment(person), ...none, ...odd })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it('gives the cardholder a week where the merchant has initiated it', async () => {
    const person = world.newPerson();
    const week = { ...world.payment(person), expiresInSeconds: 604_800 };
    await expect(app.acs.create(week)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await app.acs.create({ ...week, requestorInitiated: true })).toMatchObject({ requestorInitiated: true });
  });

  it('accepts a request without merchant and expiry, which defaults to 300 seconds', async () => {
    const person = world.newPerson();
    const { merchant: _none, ...payment } = world.payment(person);
    const { id } = await app.acs.create(payment);
    const challenge = await app.office.get(id);
    expect(challenge.merchant).toMatchObject({ id: '', displayName: '', country: '', categoryCode: '' });
    expect(challenge.expiresAt && timestampDate(challenge.expiresAt)).toEqual(new Date(world.clock.now().getTime() + 300_000));
  });

  it('returns the same challenge for a repeat without calling card and ledger again', async () => {
    const person = world.newPerson();
    const payment = world.payment(person);
    const first = await app.acs.create(payment);
    world.neighbours.cards.delete(person.cardId);
    const asked = { ...world.neighbours.asked };
    expect(await app.acs.create({ ...payment, expiresInSeconds: 300 })).toEqual(first);
    expect(world.neighbours.asked).toEqual(asked);
  });

  it('raises one challenge for concurrent twins on two instances', async () => {
    const payment = world.payment(world.newPerson());
    const other = await world.start();
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => (await (index % 2 === 0 ? app : other).acs.create(payment)).id),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await world.count({ reference: payment.reference })).toBe(1);
    await other.close();
  });

  it.each([
    { amount: '2000' },
    { currency: 'GBP' },
    { currency: 'JPY', decimals: 0 },
    { expiresInSeconds: 301 },
    { merchant: { displayName: 'Corner Shop' } },
    { cardId: systemRuntime.newId() },
  ])('rejects a reference that is reused with other content: %j', async (other) => {
    const payment = world.payment(world.newPerson());
    await app.acs.create(payment);
    await expect(app.acs.create({ ...payment, ...other })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('scopes references to the caller', async () => {
    const payment = world.payment(world.newPerson());
    const mine = await app.acs.create(payment);
    const theirs = await app.service('otherAcs', [THREEDS_SCOPES.writeChallenges]).create({ ...payment, amount: '5' });
    expect(theirs.id).not.toBe(mine.id);
  });

  it('resumes after a kill between reservation and insert, with the same id', async () => {
    const person = world.newPerson();
    const payment = world.payment(person);
    const ids: string[] = [];
    const newId = () => {
      const id = systemRuntime.newId();
      ids.push(id);
      return id;
    };
    const killed = await world.start({ runtime: { now: world.clock.now, newId } });
    world.neighbours.broken.accounts = 'SERVICE_UNAVAILABLE';
    await expect(killed.acs.create(payment)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    delete world.neighbours.broken.accounts;
    await killed.close();
    world.clock.advanceSeconds(30);
    const resumed = await app.acs.create(payment);
    expect(resumed.id).toBe(ids[0]);
    expect(resumed.expiresAt && timestampDate(resumed.expiresAt)).toEqual(new Date(world.clock.now().getTime() + 300_000));
  });

  it('rejects an unknown card', async () => {
    await expect(app.acs.create(world.payment({ cardId: systemRuntime.newId() }))).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
  });

  it.each([CardStatus.FROZEN, CardStatus.LOST, CardStatus.STOLEN, CardStatus.CANCELLED, CardStatus.EXPIRED, CardStatus.UNSPECIFIED])(
    'rejects a card in status %i, and accepts the same request once it is active',
    async (status) => {
      const person = world.newPerson();
      const payment = world.payment(person);
      const card = world.neighbours.cards.get(person.cardId);
      world.neighbours.cards.set(person.cardId, { ...card, status });
      await expect(app.acs.create(payment)).rejects.toMatchObject({ code: 'CARD_NOT_ACTIVE' });
      expect(await world.count({ reference: payment.reference })).toBe(0);
      world.neighbours.cards.set(person.cardId, { ...card, status: CardStatus.ACTIVE });
      expect((await app.acs.create(payment)).status).toBe(ChallengeStatus.PENDING);
    },
  );

  it.each([
    ['provisioning', AccountStatus.PROVISIONING],
    ['blocked', AccountStatus.BLOCKED],
    ['closed', AccountStatus.CLOSED],
    ['missing', undefined],
  ])('rejects a card whose account is %s', async (_name, status) => {
    const person = world.newPerson();
    const account = world.neighbours.accounts.get(person.accountId);
    if (status === undefined) world.neighbours.accounts.delete(person.accountId);
    else world.neighbours.accounts.set(person.accountId, { ...account, status });
    await expect(app.acs.create(world.payment(person))).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE' });
  });

  it('rejects a card whose account belongs to another user', async () => {
    const person = world.newPerson();
    const card = world.neighbours.cards.get(person.cardId);
    world.neighbours.cards.set(person.cardId, { ...card, accountId: world.newPerson().accountId });
    await expect(app.acs.create(world.payment(person))).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it.each([
    ['cards', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
    ['cards', 'UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT'],
    ['accounts', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
    // A rejection of this service's own token says nothing about the caller's.
    ['cards', 'UNAUTHORIZED', 'INTERNAL_ERROR'],
    ['accounts', 'FORBIDDEN', 'INTERNAL_ERROR'],
  ] as const)('maps a failure of %s with %s to %s', async (kind, failure, code) => {
    const payment = world.payment(world.newPerson());
    world.neighbours.broken[kind] = failure;
    await expect(app.acs.create(payment)).rejects.toMatchObject({ code });
    delete world.neighbours.broken[kind];
  });

  it.each([
    ['no reference', { reference: '' }],
    ['a long reference', { reference: 'x'.repeat(101) }],
    ['a reference with a line break', { reference: 'a\nb' }],
    ['a card id that is not a UUID', { cardId: 'card' }],
    ['no amount', { amount: '' }],
    ['zero', { amount: '0' }],
    ['a negative amount', { amount: '-1' }],
    ['a leading zero', { amount: '01' }],
    ['a decimal point', { amount: '1.5' }],
    ['an exponent', { amount: '1e3' }],
    ['no currency', { currency: '' }],
    ['a currency in lower case', { currency: 'eur' }],
    ['an unknown currency', { currency: 'EUX' }],
    ['a code without a minor unit', { currency: 'XAU' }],
    ['decimals of another currency', { decimals: 0 }],
    ['decimals that the yen does not have', { currency: 'JPY' }],
    ['negative decimals', { decimals: -1 }],
    ['five decimals', { decimals: 5 }],
    ['a negative expiry', { expiresInSeconds: -1 }],
    ['an expiry over 900 s', { expiresInSeconds: 901 }],
    ['a long merchant id', { merchant: { id: 'x'.repeat(36) } }],
    ['a long merchant name', { merchant: { displayName: 'x'.repeat(41) } }],
    ['a merchant name with a line break', { merchant: { displayName: 'Shop\nAmount: 0.01 EUR' } }],
    ['a merchant name with a line separator', { merchant: { displayName: 'Shop\u2028Amount: 0.01 EUR' } }],
    ['a merchant name with a direction override', { merchant: { displayName: 'Shop \u202eRUE 99.91' } }],
    ['a merchant name with a bidi isolate', { merchant: { displayName: 'Shop \u2066x' } }],
    ['a merchant name with an invisible space', { merchant: { displayName: 'Sh\u200bop' } }],
    ['a merchant name of fillers', { merchant: { displayName: '\u3164\u115f' } }],
    ['a merchant name of blank Braille', { merchant: { displayName: '\u2800\u2800' } }],
    ['a merchant name of joiners', { merchant: { displayName: '\u200d\u200c' } }],
    ['a merchant name with a hidden selector', { merchant: { displayName: 'Shop\u{e0100}' } }],
    ['a merchant name that begins with a combining mark', { merchant: { displayName: '\u0336Shop' } }],
    ['a merchant id with an escape', { merchant: { id: '\u001b[2K' } }],
    ['an invalid country', { merchant: { country: 'Germany' } }],
    ['an invalid category code', { merchant: { categoryCode: '54a1' } }],
  ])('rejects %s', async (_name, bad) => {
    const payment = { ...world.payment(world.newPerson()), ...bad };
    await expect(app.acs.create(payment)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('collapses runs of spaces in a merchant name', async () => {
    const person = world.newPerson();
    const displayName = `Shop${' '.repeat(20)}\u00a0\u3000Amount: 0.01 EUR`;
    const challenge = await app.acs.create({ ...world.payment(person), merchant: { displayName } });
    expect(challenge.merchant?.displayName).toBe('Shop Amount 0.01 EUR');
  });

  it('counts code points of a merchant name and trims padding', async () => {
    const person = world.newPerson();
    const displayName = '🍞'.repeat(40);
    const challenge = await app.acs.create({ ...world.payment(person), merchant: { displayName: `  ${displayName} ` } });
    expect(challenge.merchant?.displayName).toBe(displayName);
  });
});
