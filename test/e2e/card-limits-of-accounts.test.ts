import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

const DAILY = 1000;
const PER_DAY = 6;
const EXCEEDED = { approved: false, declineReason: { code: 'account_limit_exceeded' } };

let platform: PlatformInProcess;
let network: CardNetwork;
beforeAll(async () => {
  const program = { limits: { daily: String(DAILY), weekly: '2500' }, cardsPerDay: PER_DAY };
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify(program) });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = async () => {
  const { token } = await registerPerson(platform.api);
  const client = platform.api.as(token);
  const newCard = () => createCard(platform.api, token);
  const cardId = await newCard();
  await client.sandbox.createDeposit({ token: 'EURe', amount: `${100n * 10n ** 18n}` });
  const held = async () => Number((await client.userAccount.getBalances()).data.find(({ currency }) => currency === 'EUR')?.nonSpendable);
  return { client, cardId, newCard, held };
};

describe("the program's limits, which are those of the account too", () => {
  it('are not reset by a card that is cancelled and ordered again', async () => {
    const { client, cardId, newCard, held } = await holder();
    expect(await network.payment(cardId).authorize(DAILY)).toMatchObject({ approved: true });
    await client.cards.cancelCard({ cardId });
    const next = await newCard();
    expect(await network.payment(next).authorize(1)).toMatchObject(EXCEEDED);
    // A declined request gives its reservation back after its answer.
    await expect
      .poll(async () => (await network.payments.getCardLimits({ cardId: next })).limits)
      .toMatchObject({ daily: { amount: String(DAILY), used: '0', remaining: '0' }, weekly: { remaining: '1500' } });
    // A day of the sandbox's clock later there is room again, of the day and of the week, unless the week has ended meanwhile.
    await client.sandbox.advanceClock({ advanceSeconds: 86_400 });
    expect(await network.payment(next).authorize(DAILY)).toMatchObject({ approved: true });
    expect(await held()).toBe(2 * DAILY);
  });

  it('hold over all cards together, also when they pay at once', async () => {
    const { cardId, newCard, held } = await holder();
    const cards = [cardId, ...(await Promise.all([1, 2, 3, 4].map(newCard)))];
    const decisions = await Promise.all(cards.flatMap((card) => [1, 2, 3, 4].map(() => network.payment(card).authorize(100))));
    const approved = decisions.filter((decision) => decision.approved).length;
    expect(approved).toBeLessThanOrEqual(DAILY / 100);
    expect(approved).toBeGreaterThan(0);
    await expect.poll(held, { timeout: 20_000 }).toBe(approved * 100);
    // Reservations of a declined request are given back, of the account as well.
    const rest = DAILY - approved * 100;
    if (rest > 0) await expect.poll(async () => (await network.payment(cardId).authorize(rest)).approved, { timeout: 20_000 }).toBe(true);
    expect(await network.payment(cardId).authorize(1)).toMatchObject({ approved: false });
  });
});

it('a user who orders more cards than the program permits within a day gets Retry-After', async () => {
  const { client, cardId, newCard } = await holder();
  await client.cards.cancelCard({ cardId });
  for (let ordered = 1; ordered < PER_DAY; ordered += 1) await client.cards.cancelCard({ cardId: await newCard() });
  await expect(newCard()).rejects.toMatchObject({ status: 429, code: 'CARD_ORDER_LIMIT_REACHED', retryAfterSeconds: expect.any(Number) });
});
