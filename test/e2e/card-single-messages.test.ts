import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardHolder, createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, connectCardNetwork, euro } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

let person: CardHolder;
beforeEach(async () => {
  person = await createCardHolder(platform, network, 10_000);
});

const settled = async <T>(read: () => Promise<T>, expected: T) => expect.poll(read, { interval: 50 }).toEqual(expected);

describe('a withdrawal that is booked with its authorization', () => {
  const used = async () => {
    const { limits } = await network.payments.getCardLimits({ cardId: person.cardId });
    return [limits?.atm?.used, limits?.monthly?.used];
  };

  it('returns to the account and to the limits when the machine has not paid out', async () => {
    const withdrawal = person.payment();
    await withdrawal.authorize(2000, { atm: true, singleMessage: true });
    await settled(person.balance, [8000, 0]);
    const event = withdrawal.event();
    const reverse = () => network.processor.reverse({ event });
    const [{ payment }] = await Promise.all([reverse(), reverse(), reverse()]);
    expect(payment).toMatchObject({ status: PaymentStatus.REVERSED, clearedAmount: '0' });
    await settled(person.balance, [10_000, 0]);
    await settled(used, ['0', '0']);
    expect((await reverse()).payment).toEqual(payment);
    await withdrawal.refund(2000);
    await settled(person.balance, [10_000, 0]);
  });

  it('is booked once when a clearing file has it too, and when the network approves it after a reversal', async () => {
    const withdrawal = person.payment();
    await withdrawal.authorize(2000, { atm: true, singleMessage: true });
    expect(await withdrawal.clear(2000)).toMatchObject({ clearedAmount: '2000' });
    await settled(person.balance, [8000, 0]);
    // The answer was lost: the bridge has reversed the request, and the network has approved it in our place.
    await withdrawal.reverse();
    await settled(person.balance, [10_000, 0]);
    const standIn = { event: withdrawal.event(), amount: euro(2000), atm: true, singleMessage: true };
    expect((await network.processor.advise(standIn)).payment).toMatchObject({ status: PaymentStatus.SETTLED, clearedAmount: '2000' });
    await settled(person.balance, [8000, 0]);
    await settled(used, ['2000', '2000']);
  });

  it('returns in part when the machine has paid out less', async () => {
    const withdrawal = person.payment();
    await withdrawal.authorize(2000, { atm: true, singleMessage: true });
    await withdrawal.refund(200);
    expect(await withdrawal.advise(1500)).toMatchObject({ status: PaymentStatus.SETTLED, clearedAmount: '1500', refundedAmount: '200' });
    await settled(person.balance, [8700, 0]);
    expect(await withdrawal.reverse()).toMatchObject({ clearedAmount: '200', refundedAmount: '200' });
    await settled(person.balance, [10_000, 0]);
    await settled(used, ['200', '200']);
  });
});
