import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { CodedError } from '@florin/rpc/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

const DEPOSIT = 10_000;
const FENCE = 'fence of an abandoned authorization';

/** Orders that the ledger does not take. */
let failing: Set<'hold' | 'fence' | 'forced increase'>;
/** Number of fences that the ledger has taken, each with the release of what stood under its id. */
let fenced: number;
/** Runs before the next hold of an authorization. */
let beforeHold: (() => Promise<void>) | undefined;
let platform: PlatformInProcess;
let network: CardNetwork;

/** Ids that were taken by a fence, and not released yet. */
const fences = new Set<string>();

const unavailable = (): never => {
  throw new CodedError('SERVICE_UNAVAILABLE');
};

beforeAll(async () => {
  platform = await startPlatformInProcess(
    {},
    {
      card: {
        wrapHolds: (holds) => ({
          ...holds,
          open: async (order) => {
            const before = beforeHold;
            beforeHold = undefined;
            await before?.();
            if (failing.has('hold') && order.purpose === 'authorization') unavailable();
            if (failing.has('fence') && order.purpose === FENCE) unavailable();
            if (order.purpose === FENCE) fences.add(order.holdId);
            return holds.open(order);
          },
          void: async (hold) => {
            await holds.void(hold);
            if (fences.delete(hold.holdId)) fenced += 1;
          },
          increase: async (change) => {
            if (failing.has('forced increase') && change.forced === true) unavailable();
            return holds.increase(change);
          },
        }),
      },
    },
  );
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = async () => {
  const { token } = await registerPerson(platform.api);
  const cards = [await createCard(platform.api, token), await createCard(platform.api, token, { cardName: 'Second' })] as const;
  await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` });
  const balance = async (): Promise<[free: number, held: number]> => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    const row = data.find(({ currency }) => currency === 'EUR');
    return [Number(row?.spendable), Number(row?.nonSpendable)];
  };
  return { token, cards, balance };
};

let person: Awaited<ReturnType<typeof holder>>;
beforeEach(async () => {
  failing = new Set();
  fences.clear();
  fenced = 0;
  beforeHold = undefined;
  person = await holder();
});

const becomes = (expected: number[]) => expect.poll(person.balance, { timeout: 20_000, interval: 50 }).toEqual(expected);

/** Lets the sweeper fence off what failed before. */
const sweptFences = async (count: number): Promise<void> => {
  platform.clock.advanceSeconds(20);
  await expect.poll(() => fenced, { timeout: 20_000, interval: 50 }).toBe(count);
};

describe('an approved authorization keeps its hold', () => {
  it('when an earlier request of the same transaction failed, and is fenced off later', async () => {
    const payment = network.payment(person.cards[0]);
    failing = new Set(['hold', 'fence']);
    expect(await payment.authorize(9000)).toMatchObject({ approved: false, declineReason: { code: 'system_error' } });
    failing = new Set(['fence']);
    expect(await payment.authorize(9000)).toMatchObject({ approved: true });
    await becomes([1000, 9000]);
    failing = new Set();
    await sweptFences(1);
    expect(await person.balance()).toEqual([1000, 9000]);
    const another = await network.payment(person.cards[0]).authorize(9000);
    expect(another).toMatchObject({ approved: false, declineReason: { code: 'insufficient_funds' } });
    expect(await payment.clear(9000)).toMatchObject({ clearedAmount: '9000', heldAmount: '0' });
    await becomes([1000, 0]);
  });

  it('when the failed request was fenced off before', async () => {
    const payment = network.payment(person.cards[0]);
    failing = new Set(['hold']);
    expect(await payment.authorize(9000)).toMatchObject({ approved: false });
    await expect.poll(() => fenced, { timeout: 20_000, interval: 50 }).toBe(1);
    failing = new Set();
    expect(await payment.authorize(9000)).toMatchObject({ approved: true });
    await becomes([1000, 9000]);
    await payment.reverse();
    await becomes([DEPOSIT, 0]);
  });

  it('when a request of another card of the account comes under its transaction id at the same time', async () => {
    const payment = network.payment(person.cards[0]);
    const other = network.payment(person.cards[1], payment.transactionId);
    beforeHold = async () => {
      expect(await payment.authorize(4000)).toMatchObject({ approved: true });
    };
    expect(await other.authorize(4000)).toMatchObject({ approved: false, declineReason: { code: 'transaction_invalid' } });
    await expect.poll(() => fenced, { timeout: 20_000, interval: 50 }).toBe(1);
    await becomes([6000, 4000]);
  });
});

describe('what the ledger did not take', () => {
  it('is carried out soon, also when the clock of the sandbox is ahead', async () => {
    await platform.api.as(person.token).sandbox.advanceClock({ advanceSeconds: 30 * 86_400 });
    failing = new Set(['hold', 'fence']);
    expect(await network.payment(person.cards[0]).authorize(9000)).toMatchObject({ approved: false });
    failing = new Set();
    await sweptFences(1);
    expect(await person.balance()).toEqual([DEPOSIT, 0]);
  });
});

describe('what the network has approved after the bridge has undone it', () => {
  it('is settled by its clearing, whatever the advice finds, and is held anew for more', async () => {
    const payment = network.payment(person.cards[0]);
    const event = payment.event();
    const { paymentId } = await payment.authorize(1000, { event });
    await payment.undo(event);
    await payment.clear(1000);
    await payment.advise(1000);
    const stored = async () => (await network.payments.getPayment({ paymentId })).payment;
    expect(await stored()).toMatchObject({ status: PaymentStatus.SETTLED, heldAmount: '0', clearedAmount: '1000' });
    await payment.advise(1500);
    expect(await stored()).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '500' });
    await becomes([DEPOSIT - 1500, 500]);
  });
});

describe('an advice whose increase is late', () => {
  it('stops no later booking, when the hold was extended in the meantime', async () => {
    const payment = network.payment(person.cards[0]);
    expect(await payment.authorize(1000)).toMatchObject({ approved: true });
    failing = new Set(['forced increase']);
    await payment.advise(2000);
    platform.clock.advanceSeconds(60);
    expect(await payment.increment(500)).toMatchObject({ approved: true });
    expect(await payment.clear(2500)).toMatchObject({ clearedAmount: '2500' });
    expect(await person.balance()).toEqual([8500, 1500]);
    failing = new Set();
    platform.clock.advanceSeconds(20);
    await becomes([7500, 0]);
  });
});
