import type { Input } from '@florin/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, issueTypedData, PAYMENT, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

const DAY = 86_400;

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({ AUTHORIZATION_DEADLINE_MS: '5000' });
});
afterAll(() => platform?.close());

let person: Person;
let cardId: string;
beforeEach(async () => {
  person = await registerPerson(platform.api);
  cardId = await createCard(platform.api, person.token);
  await platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: `${1000n * 10n ** 18n}` });
});

const client = () => platform.api.as(person.token);
const advance = async (advanceSeconds: number) => (await client().sandbox.advanceClock({ advanceSeconds })).secondsAhead;
const challengeOf = async (challengeId: string) => (await client().threeDs.getChallenge({ challengeId })).challenge;
const pay = (more: Partial<Input<'sandbox.createPayment'>> = {}) =>
  client().sandbox.createPayment({
    cardId,
    amount: PAYMENT.amount,
    currency: PAYMENT.currency,
    merchant: { name: 'Bookshop' },
    ...more,
  });

describe('the moved clock', () => {
  it('expires the challenges whose time is over by then, and only the own ones', async () => {
    const stranger = await registerPerson(platform.api);
    const theirs = await raiseChallenge(platform.api, stranger.token, await createCard(platform.api, stranger.token));
    const [short, long] = [
      await raiseChallenge(platform.api, person.token, cardId, { expiresInSeconds: 60 }),
      await raiseChallenge(platform.api, person.token, cardId, { expiresInSeconds: 900 }),
    ];
    await advance(60);
    expect(await challengeOf(short)).toMatchObject({ status: 'expired', decisionAvailable: false });
    expect(await challengeOf(long)).toMatchObject({ status: 'pending', decisionAvailable: true });
    const { challenge } = await platform.api.as(stranger.token).threeDs.getChallenge({ challengeId: theirs });
    expect(challenge).toMatchObject({ status: 'pending' });
    await advance(840);
    expect(await challengeOf(long)).toMatchObject({ status: 'expired' });
  });

  it('leaves a challenge to be decided whose typed data names the earlier expiry', async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, cardId, { expiresInSeconds: 900 });
    const before = await issueTypedData(platform.api, person.token, challengeId, 'approve');
    await advance(600);
    const { expiresAt } = await challengeOf(challengeId);
    const after = await issueTypedData(platform.api, person.token, challengeId, 'approve');
    expect(String(after.message.authorization)).toContain(String(expiresAt));
    expect(String(before.message.authorization)).not.toContain(String(expiresAt));
    const { challenge } = await decide(platform.api, person, challengeId, 'approve');
    expect(challenge).toMatchObject({ status: 'approved' });
  });

  it('makes approvals too old to pay with', async () => {
    const challenges = [await raiseChallenge(platform.api, person.token, cardId), await raiseChallenge(platform.api, person.token, cardId)];
    for (const challengeId of challenges) await decide(platform.api, person, challengeId, 'approve');
    await advance(89 * DAY);
    expect(await pay({ threeDsChallengeId: challenges[0] })).toMatchObject({ approved: true });
    await advance(2 * DAY);
    expect(await pay({ threeDsChallengeId: challenges[1] })).toMatchObject({ approved: false, reason: { code: 'authentication_invalid' } });
  });

  it('is one for all cards, also for those that are issued later', async () => {
    expect(await advance(DAY)).toBe(DAY);
    const [first, later] = [cardId, await createCard(platform.api, person.token, { cardName: 'Later' })];
    const times: number[] = [];
    for (const card of [first, later]) {
      const { transactionId } = await pay({ cardId: card });
      times.push(Date.parse((await client().cards.getCardTransaction({ transactionId })).createdAt));
    }
    const now = platform.clock.now().getTime();
    for (const time of times) expect(time).toBeGreaterThanOrEqual(now + DAY * 1000 - 60_000);
    expect(await advance(DAY)).toBe(2 * DAY);
  });
});

describe('the events that networks send rarely', () => {
  it('show a credit as pending until it is booked', async () => {
    const { transactionId } = await pay();
    await client().sandbox.clearPayment({ transactionId, amount: '1000' });
    const announced = await client().sandbox.announceCredit({ transactionId, amount: '400' });
    expect(announced).toMatchObject({ status: 'settled', pendingCreditAmount: '400', refundedAmount: '0' });
    expect(await client().sandbox.refundPayment({ transactionId, amount: '300' })).toMatchObject({
      pendingCreditAmount: '100',
      refundedAmount: '300',
    });
    expect(await client().sandbox.reversePayment({ transactionId })).toMatchObject({
      status: 'settled',
      refundedAmount: '300',
    });
  });

  it('book corrections both ways', async () => {
    const { transactionId } = await pay();
    await client().sandbox.clearPayment({ transactionId, amount: '1000' });
    expect(await client().sandbox.correctDebit({ transactionId, amount: '50' })).toMatchObject({ clearedAmount: '1050' });
    expect(await client().sandbox.correctCredit({ transactionId, amount: '250' })).toMatchObject({
      clearedAmount: '1050',
      refundedAmount: '250',
    });
    const { data } = await client().userAccount.getBalances();
    expect(data.find(({ currency }) => currency === 'EUR')?.spendable).toBe(String(100_000 - 1050 + 250));
  });

  it('include cash paid out at the counter, at most the amount', async () => {
    expect(await pay({ amount: '5000', cashBackAmount: '2000' })).toMatchObject({ approved: true });
    const { status } = await platform.api.request('POST', '/sandbox/payments', {
      token: person.token,
      body: { cardId, amount: '100', currency: 'EUR', merchant: {}, cashBackAmount: '101' },
    });
    expect(status).toBe(422);
  });
});
