import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { CardStatus } from '@florin/proto/card/v1/card';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestProcessor, createWorld, OTHER_PHONE, PHONE, type World } from '../testing/world.ts';

let world: World;
let card: Awaited<ReturnType<World['start']>>;

beforeAll(async () => {
  world = await createWorld();
  card = await world.start();
});
afterAll(() => world.close());

const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as { code?: string }).code)).sort();

describe('CreateVirtualCard', () => {
  it('issues a card and creates the cardholder from the phone number', async () => {
    const user = await card.as();
    const created = await user.create({ cardName: ' Everyday ', phone: PHONE });
    expect(created).toMatchObject({
      userId: user.userId,
      accountId: user.userId,
      name: 'Everyday',
      expMonth: world.clock.now().getUTCMonth() + 1,
      expYear: world.clock.now().getUTCFullYear() + 4,
      network: 'visa',
      virtual: true,
      status: CardStatus.ACTIVE,
    });
    expect(created.last4).toMatch(/^\d{4}$/);
    expect(created.createdAt && timestampDate(created.createdAt)).toEqual(world.clock.now());
    expect(await user.cardholder()).toMatchObject({ phone: PHONE, phoneVerified: false });
    expect(await user.list()).toMatchObject([created]);
  });

  it('publishes events without phone numbers or PANs', async () => {
    const user = await card.as();
    const { id, last4 } = await user.create({ phone: PHONE });
    const { cardholderId } = await user.cardholder();
    const some = async (aggregateId: string) => {
      const events = await world.events(aggregateId);
      return events.length > 0 ? events : undefined;
    };
    expect(await waitFor('the card event', () => some(id))).toEqual([
      { type: 'card.issued', payload: { cardId: id, accountId: user.userId, userId: user.userId, last4, status: 'active' } },
    ]);
    expect(await waitFor('the cardholder event', () => some(user.userId))).toEqual([
      { type: 'cardholder.created', payload: { cardholderId, userId: user.userId } },
    ]);
  });

  it('requires a phone number for the first card only, and accepts the same request id once it is given', async () => {
    const user = await card.as();
    const requestId = randomUUID();
    await expect(user.create({ requestId })).rejects.toMatchObject({ code: 'PHONE_REQUIRED' });
    await expect(user.cardholder()).rejects.toMatchObject({ code: 'CARDHOLDER_NOT_FOUND' });
    await user.create({ requestId, phone: PHONE });
    await user.create();
    await user.create({ phone: OTHER_PHONE });
    expect(await user.list()).toHaveLength(3);
    expect(await user.cardholder()).toMatchObject({ phone: PHONE });
  });

  it.each([
    ['no account', { error: 'ACCOUNT_NOT_FOUND' }, 'ACCOUNT_NOT_ACTIVE'],
    ['an account being provisioned', { id: 'a', status: AccountStatus.PROVISIONING }, 'ACCOUNT_NOT_ACTIVE'],
    ['a blocked account', { id: 'a', status: AccountStatus.BLOCKED }, 'ACCOUNT_NOT_ACTIVE'],
    ['a closed account', { id: 'a', status: AccountStatus.CLOSED }, 'ACCOUNT_NOT_ACTIVE'],
    ['an unavailable ledger', { error: 'SERVICE_UNAVAILABLE' }, 'SERVICE_UNAVAILABLE'],
    ['an unexpected code from the ledger', { error: 'FORBIDDEN' }, 'INTERNAL_ERROR'],
  ] as const)('rejects a caller with %s', async (_what, account, code) => {
    const user = await card.as();
    world.ledger.accounts.set(user.userId, account);
    await expect(user.create({ phone: PHONE })).rejects.toMatchObject({ code });
    await expect(user.cardholder()).rejects.toMatchObject({ code: 'CARDHOLDER_NOT_FOUND' });
  });

  it.each([
    ['request_id', { requestId: 'no-uuid' }],
    ['request_id', { requestId: '' }],
    ['card_name', { cardName: '' }],
    ['card_name', { cardName: 'x'.repeat(27) }],
    ['card_name', { cardName: 'a\u0007b' }],
    ['phone', { phone: '0151 12345678' }],
  ])('rejects a bad %s, naming it, and stores nothing', async (field, request) => {
    const user = await card.as();
    const rejected = user.create({ phone: PHONE, ...request });
    await expect(rejected).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringMatching(new RegExp(`^${field}: `)) });
    await expect(user.cardholder()).rejects.toMatchObject({ code: 'CARDHOLDER_NOT_FOUND' });
  });

  it('returns the same card for a repeat, even at the limit and after the account was blocked', async () => {
    const user = await card.as();
    const request = { requestId: randomUUID(), cardName: 'Mine', phone: PHONE };
    const first = await user.create(request);
    for (let more = 1; more < 5; more += 1) await user.create();
    await expect(user.create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    world.ledger.accounts.set(user.userId, { id: user.userId, status: AccountStatus.BLOCKED });
    expect(await user.create({ ...request, requestId: request.requestId.toUpperCase(), cardName: 'Mine ' })).toEqual(first);
    expect(await user.list()).toHaveLength(5);
  });

  it('rejects the same request id with other content, and scopes request ids to the user', async () => {
    const user = await card.as();
    const requestId = randomUUID();
    await user.create({ requestId, phone: PHONE });
    await expect(user.create({ requestId, phone: PHONE, cardName: 'Other' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await expect(user.create({ requestId })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const other = await card.as();
    const { id } = await other.create({ requestId, phone: OTHER_PHONE, cardName: 'Theirs' });
    expect((await user.list()).map((mine) => mine.id)).not.toContain(id);
  });

  it('issues one card for concurrent requests with the same request id', async () => {
    const user = await card.as();
    const request = { requestId: randomUUID(), phone: PHONE };
    const twins = await Promise.all(Array.from({ length: 6 }, () => user.create(request)));
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1);
    expect(await user.list()).toHaveLength(1);
  });

  it('creates one cardholder and two cards for two concurrent first cards', async () => {
    const user = await card.as();
    const both = await Promise.all([user.create({ phone: PHONE }), user.create({ phone: OTHER_PHONE })]);
    expect((await user.list()).map(({ id }) => id).sort()).toEqual(both.map(({ id }) => id).sort());
    expect([PHONE, OTHER_PHONE]).toContain((await user.cardholder()).phone);
    await waitFor('the event', async () => ((await world.events(user.userId)).length > 0 ? true : undefined));
    expect((await world.events(user.userId)).filter(({ type }) => type === 'cardholder.created')).toHaveLength(1);
  });

  it('issues exactly five of six concurrent cards across two replicas', async () => {
    const replica = await world.start();
    const user = await card.as();
    const elsewhere = await replica.as(user.userId);
    const results = await Promise.allSettled(
      [user, elsewhere, user, elsewhere, user, elsewhere].map((one) => one.create({ phone: PHONE })),
    );
    expect(codesOf(results)).toEqual(['CARD_LIMIT_REACHED', 'ok', 'ok', 'ok', 'ok', 'ok']);
    expect(await user.list()).toHaveLength(5);
    await replica.close();
  });

  it('does not count expired cards toward the limit', async () => {
    const user = await card.as();
    for (let count = 0; count < 5; count += 1) await user.create({ phone: PHONE });
    await expect(user.create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    // Issued on the last day of January: valid until the end of January four years later.
    world.clock.advanceSeconds((Date.parse('2029-01-31T23:59:59Z') - world.clock.now().getTime()) / 1000);
    await expect(user.create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    world.clock.advanceSeconds(1);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => user.create()));
    expect(codesOf(results)).toEqual(['CARD_LIMIT_REACHED', 'ok', 'ok', 'ok', 'ok', 'ok']);
    expect(await user.list(CardStatus.ACTIVE)).toHaveLength(5);
    expect(await user.list(CardStatus.EXPIRED)).toHaveLength(5);
    expect(await user.list(CardStatus.FROZEN)).toEqual([]);
  });
});

describe('CreateVirtualCard where phones must be verified', () => {
  it('creates the cardholder and rejects the first card until a code has verified the number', async () => {
    const strict = await world.start({ env: { PHONE_VERIFICATION: 'required' } });
    const user = await strict.as();
    const requestId = randomUUID();
    await expect(user.create({ requestId })).rejects.toMatchObject({ code: 'PHONE_REQUIRED' });
    await expect(user.create({ requestId, phone: PHONE })).rejects.toMatchObject({ code: 'PHONE_NOT_VERIFIED' });
    expect(await user.list()).toEqual([]);
    expect(await user.cardholder()).toMatchObject({ phone: PHONE, phoneVerified: false });
    world.identity.codes.set('111222', { phone: PHONE });
    await user.updatePhone({ code: '111222', requestId: randomUUID() });
    // Rejected requests bind nothing to the request id: it may be retried without the phone number.
    const created = await user.create({ requestId });
    expect(await user.list()).toMatchObject([created]);
    await strict.close();
  });

  it('does not lock out a cardholder who already holds cards', async () => {
    const user = await card.as();
    await user.create({ phone: PHONE });
    const strict = await world.start({ env: { PHONE_VERIFICATION: 'required' } });
    await (await strict.as(user.userId)).create();
    expect(await user.list()).toHaveLength(2);
    await strict.close();
  });
});

describe('CreateVirtualCard with a failing processor', () => {
  it.each(['refuse', 'fail', 'hang', 'failAfter'] as const)(
    '(%s) returns CARD_ISSUING_FAILED, leaves nothing visible, and can be repeated',
    async (mode) => {
      const test = createTestProcessor();
      const app = await world.start({ processor: test.processor });
      const user = await app.as();
      const request = { requestId: randomUUID(), phone: PHONE };
      test.state.mode = mode;
      await expect(user.create(request)).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
      expect(await user.list()).toEqual([]);
      test.state.mode = 'issue';
      const created = await user.create(request);
      expect(created).toMatchObject({ last4: '4242', network: 'visa' });
      expect([...test.issued]).toEqual([created.id]);
      expect(await user.list()).toMatchObject([created]);
      await app.close();
    },
  );

  it('releases the slot after a refusal and keeps it while the outcome is unknown', async () => {
    const test = createTestProcessor();
    const app = await world.start({ processor: test.processor });
    const user = await app.as();
    for (let count = 0; count < 4; count += 1) await user.create({ phone: PHONE });
    test.state.mode = 'refuse';
    for (let count = 0; count < 3; count += 1) await expect(user.create()).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    test.state.mode = 'failAfter';
    await expect(user.create()).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    test.state.mode = 'issue';
    await expect(user.create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    expect(await user.list()).toHaveLength(4);
    await app.close();
  });
});
