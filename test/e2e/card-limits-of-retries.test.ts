import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson, unfreezeCard } from '../support/story.ts';

const ACCOUNT_LIMIT = 6000;

let platform: PlatformInProcess;
let network: CardNetwork;

beforeAll(async () => {
  const program = { accountLimits: { monthly: String(ACCOUNT_LIMIT) } };
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify(program) });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = async (given: Record<string, number>) => {
  const person = await registerPerson(platform.api);
  const { token } = person;
  const cardId = await createCard(platform.api, token);
  await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${100n * 10n ** 18n}` });
  const body = Object.fromEntries(Object.entries(given).map(([name, amount]) => [name, { amount: String(amount), currency: 'EUR' }]));
  if (Object.keys(body).length > 0) await platform.api.as(token).cards.updateCardLimits({ cardId, ...body });
  /** A payment whose first authorization was declined. */
  const declined = async () => {
    const payment = network.payment(cardId);
    await platform.api.as(token).cards.freezeCard({ cardId });
    expect(await payment.authorize(100)).toMatchObject({ approved: false, declineReason: { code: 'card_frozen' } });
    await unfreezeCard(platform.api, person, cardId);
    return payment;
  };
  const paid = async (amount: number) => {
    const payment = network.payment(cardId);
    expect(await payment.authorize(amount)).toMatchObject({ approved: true });
    return payment;
  };
  const limits = async () => (await network.payments.getCardLimits({ cardId })).limits;
  const advance = (days: number) => platform.api.as(token).sandbox.advanceClock({ advanceSeconds: days * 86_400 });
  return { declined, paid, limits, advance };
};

describe('an authorization under the id of a declined transaction', () => {
  it('counts as cash when it is cash', async () => {
    const { declined } = await holder({ atm: 1000 });
    const payment = await declined();
    expect(await payment.authorize(5000, { atm: true })).toMatchObject({ approved: false, declineReason: { code: 'atm_limit_exceeded' } });
    expect(await payment.authorize(900, { atm: true })).toMatchObject({ approved: true });
    expect(await payment.increment(200)).toMatchObject({ approved: false, declineReason: { code: 'atm_limit_exceeded' } });
  });

  it.each(['daily', 'weekly', 'monthly'] as const)('counts against the %s limit of its own time', async (limit) => {
    const { declined, advance } = await holder({ [limit]: 1000 });
    const payment = await declined();
    const other = await declined();
    await advance(40);
    const code = `${limit}_limit_exceeded`;
    expect(await payment.authorize(4000)).toMatchObject({ approved: false, declineReason: { code } });
    expect(await payment.authorize(900)).toMatchObject({ approved: true });
    expect(await other.authorize(200)).toMatchObject({ approved: false, declineReason: { code } });
  });

  it("counts against the account's limit of its own time", async () => {
    const { declined, advance } = await holder({});
    const payment = await declined();
    await advance(40);
    const exceeded = { approved: false, declineReason: { code: 'account_limit_exceeded' } };
    expect(await payment.authorize(ACCOUNT_LIMIT + 1)).toMatchObject(exceeded);
    expect(await payment.authorize(ACCOUNT_LIMIT)).toMatchObject({ approved: true });
    expect(await payment.increment(1)).toMatchObject(exceeded);
  });
});

describe('increments of payments of an earlier day', () => {
  it('count against the limits of their own day', async () => {
    const { paid, advance, limits } = await holder({ daily: 1000 });
    const payments = await Promise.all([0, 1, 2, 3].map(() => paid(1)));
    await advance(1);
    const decisions = [];
    for (const payment of payments) decisions.push(await payment.increment(400));
    expect(decisions.map((decision) => decision?.approved)).toEqual([true, true, false, false]);
    expect(decisions.at(-1)).toMatchObject({ declineReason: { code: 'daily_limit_exceeded' } });
    expect((await limits())?.daily).toMatchObject({ used: '800', remaining: '200' });
    await payments[0]?.reverse(300);
    expect((await limits())?.daily).toMatchObject({ used: '500', remaining: '500' });
    await payments[1]?.clear(1);
    expect((await limits())?.daily).toMatchObject({ used: '100' });
  });
});
