import { randomUUID } from 'node:crypto';
import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson, unfreezeCard } from '../support/story.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
let people: Awaited<ReturnType<typeof holder>>[];

const holder = async () => {
  const person = await registerPerson(platform.api);
  const { token } = person;
  const cardId = await createCard(platform.api, token);
  await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${100n * 10n ** 18n}` });
  const balance = async (): Promise<[free: number, held: number]> => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    const row = data.find(({ currency }) => currency === 'EUR');
    return [Number(row?.spendable), Number(row?.nonSpendable)];
  };
  return { person, cardId, balance };
};

const balances = () => Promise.all(people.map(({ balance }) => balance()));
const paymentsUnder = (transactionId: string) => people.map(({ cardId }) => network.payment(cardId, transactionId));

beforeAll(async () => {
  platform = await startPlatformInProcess();
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  people = [await holder(), await holder()];
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

it('a request under the transaction id of a declined payment of another card is declined, and changes neither account', async () => {
  const [own, foreign] = paymentsUnder(randomUUID());
  const [holding] = people;
  if (holding === undefined) throw new Error('there is no cardholder');
  const { person, cardId } = holding;
  await platform.api.as(person.token).cards.freezeCard({ cardId });
  expect(await own?.authorize(500)).toMatchObject({ approved: false, declineReason: { code: 'card_frozen' } });
  await unfreezeCard(platform.api, person, cardId);

  const event = foreign?.event() ?? {};
  const declined = await foreign?.authorize(500, { event });
  expect(declined).toMatchObject({ approved: false, declineReason: { code: 'transaction_invalid' } });
  expect(await foreign?.authorize(500, { event })).toEqual(declined);
  expect(await balances()).toEqual([
    [10_000, 0],
    [10_000, 0],
  ]);
  expect(await own?.authorize(300)).toMatchObject({ approved: true });
  expect(await own?.clear(300)).toMatchObject({ clearedAmount: '300', status: PaymentStatus.SETTLED });
  await expect.poll(balances, { interval: 50 }).toEqual([
    [9700, 0],
    [10_000, 0],
  ]);
});

it('of two cards under one new transaction id at most one is approved, and the other one holds nothing', async () => {
  for (let round = 1; round <= 5; round += 1) {
    const before = await balances();
    const payments = paymentsUnder(randomUUID());
    const decisions = await Promise.all(payments.map((payment) => payment.authorize(100)));
    expect(decisions.filter(({ approved }) => approved).length).toBeLessThanOrEqual(1);
    const after = before.map(([free, held], index) => (decisions[index]?.approved ? [free - 100, held + 100] : [free, held]));
    await expect.poll(balances, { interval: 50 }).toEqual(after);
  }
});
