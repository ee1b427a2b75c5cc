import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { CodedError } from '@florin/rpc/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';
import { startTestDecider } from '../support/test-decider.ts';

const DEPOSIT = 100_000;
const ACCOUNT_LIMIT = 5000;
const PROGRAM = {
  deciderFallback: { approveUpTo: '500' },
  accountLimits: { daily: String(ACCOUNT_LIMIT) },
  counts: { daily: 30, atm: 2 },
  cashBackLimit: '2000',
};
const ABANDONED = 'fence of an abandoned authorization';

/** How the ledger treats holds: it takes orders late, loses its answers, or is away. */
type LedgerTrouble = 'none' | 'late' | 'lost' | 'away';

let platform: PlatformInProcess;
let network: CardNetwork;
let decider: Awaited<ReturnType<typeof startTestDecider>>;
let trouble: LedgerTrouble;
/** Orders that the ledger takes late: each is carried out when the test says so. */
let late: (() => Promise<unknown>)[];

const never = new Promise<never>(() => undefined);

beforeAll(async () => {
  decider = await startTestDecider();
  const environment = {
    CARD_PROGRAM: JSON.stringify(PROGRAM),
    DECIDER_URL: decider.url,
    DECIDER_SECRET: decider.secret,
  };
  platform = await startPlatformInProcess(environment, {
    card: {
      wrapHolds: (holds) => ({
        ...holds,
        open: async (order) => {
          if (trouble === 'away') throw new CodedError('SERVICE_UNAVAILABLE');
          if (trouble === 'none' || order.purpose === ABANDONED) return holds.open(order);
          if (trouble === 'late') late.push(() => holds.open(order));
          else await holds.open(order);
          return never;
        },
      }),
    },
  });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
  await decider?.close();
});

const holder = async () => {
  const { token } = await registerPerson(platform.api);
  const cards = [await createCard(platform.api, token), await createCard(platform.api, token, { cardName: 'Second' })] as const;
  const body = { token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` };
  await platform.api.as(token).sandbox.createDeposit(body);
  const balance = async () => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    const row = data.find(({ currency }) => currency === 'EUR');
    return [Number(row?.spendable), Number(row?.nonSpendable)];
  };
  return { token, cards, balance, payment: (card: 0 | 1 = 0) => network.payment(cards[card]) };
};

let person: Awaited<ReturnType<typeof holder>>;
beforeEach(async () => {
  trouble = 'none';
  late = [];
  decider.state.mode = 'approve';
  person = await holder();
});

const balanceBecomes = (expected: number[]) => expect.poll(person.balance, { timeout: 20_000, interval: 50 }).toEqual(expected);

describe('a ledger', () => {
  it('that takes the hold too late: the payment is declined meanwhile, and the late hold holds nothing', async () => {
    trouble = 'late';
    const payment = person.payment();
    const event = payment.event();
    const declined = await payment.authorize(1000, { event });
    expect(declined).toMatchObject({ approved: false, responseCode: '91', declineReason: { code: 'timed_out' } });
    trouble = 'none';
    expect(late).toHaveLength(1);
    // Before the order that fences it off, or after.
    expect(['held', 'conflict']).toContain(await late[0]?.());
    await balanceBecomes([DEPOSIT, 0]);
    expect(await payment.authorize(1000, { event })).toEqual(declined);
  });

  it('that has taken the hold and does not answer: the payment is declined, and the hold is released', async () => {
    trouble = 'lost';
    const payment = person.payment();
    expect(await payment.authorize(1000)).toMatchObject({ approved: false, responseCode: '91' });
    await balanceBecomes([DEPOSIT, 0]);
    trouble = 'none';
    // The network may have approved in the issuer's place.
    expect(await payment.advise(1000)).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: '1000' });
    await balanceBecomes([DEPOSIT - 1000, 1000]);
  });

  it('that is away: the payment is declined with 96, and nothing is held when it is back', async () => {
    trouble = 'away';
    const declined = await person.payment().authorize(1000);
    expect(declined).toMatchObject({ approved: false, responseCode: '96', declineReason: { code: 'system_error' } });
    expect(declined.declineReason?.message).toMatch(/^[A-Z].*\.$/);
    trouble = 'none';
    await balanceBecomes([DEPOSIT, 0]);
    expect(await person.payment().authorize(1000)).toMatchObject({ approved: true });
  });
});

describe('an external decider', () => {
  it('is asked by signed messages, and approves or declines', async () => {
    const payment = person.payment();
    const event = payment.event();
    const { paymentId, approved } = await payment.authorize(1234, { event });
    expect(approved).toBe(true);
    expect(decider.questions.at(-1)).toMatchObject({
      paymentId,
      eventId: event.eventId,
      cardId: person.cards[0],
      type: 'authorization',
      amount: '1234',
      currency: 'EUR',
      billingAmount: '1234',
      atm: false,
      merchant: { name: 'Corner Shop' },
    });
    decider.state.mode = 'decline';
    expect(await payment.increment(100)).toMatchObject({
      approved: false,
      responseCode: '05',
      declineReason: { code: 'declined_by_issuer' },
    });
    expect(decider.questions.at(-1)).toMatchObject({ paymentId, type: 'increment' });
    const [first, second] = decider.ids.slice(-2);
    expect(first).toBe(`${paymentId}_${event.eventId}`);
    expect(second).toBe(`${paymentId}_${String(decider.questions.at(-1)?.['eventId'])}`);
    expect(second).not.toBe(first);
    decider.state.mode = 'suspected_fraud';
    expect(await person.payment().authorize(100)).toMatchObject({ responseCode: '59', declineReason: { code: 'suspected_fraud' } });
    expect(decider.state.forged).toBe(0);
    await balanceBecomes([DEPOSIT - 1234, 1234]);
  });

  it.each(['silent', 'fault', 'rubbish'] as const)('that is %s leaves the decision to the fallback, up to its amount', async (mode) => {
    decider.state.mode = mode;
    expect(await person.payment().authorize(500)).toMatchObject({ approved: true });
    expect(await person.payment().authorize(501)).toMatchObject({ approved: false, declineReason: { code: 'declined_by_issuer' } });
    await balanceBecomes([DEPOSIT - 500, 500]);
  });

  it('is not asked about a payment that is declined anyway', async () => {
    const before = decider.questions.length;
    await platform.api.as(person.token).cards.freezeCard({ cardId: person.cards[0] });
    expect(await person.payment().authorize(100)).toMatchObject({ approved: false, declineReason: { code: 'card_frozen' } });
    expect(decider.questions).toHaveLength(before);
  });
});

/** Payments that a busy machine decides too late are declined, and give back what they took: pays until as many are approved as a limit allows. */
const untilApproved = async (most: number, decisions: readonly { approved: boolean }[], pay: () => Promise<{ approved: boolean }>) => {
  const approved = decisions.filter((decision) => decision.approved).length;
  expect(approved).toBeLessThanOrEqual(most);
  const isApproved = async () => (await pay()).approved;
  for (let count = approved; count < most; count += 1) await expect.poll(isApproved, { interval: 100 }).toBe(true);
  expect(await pay()).toMatchObject({ approved: false });
};

describe('a limit of the account', () => {
  it('holds over all of its cards, and is given back by each', async () => {
    const first = person.payment(0);
    expect(await first.authorize(3000)).toMatchObject({ approved: true });
    const exceeded = { approved: false, responseCode: '61', declineReason: { code: 'account_limit_exceeded' } };
    expect(await person.payment(1).authorize(2001)).toMatchObject(exceeded);
    await first.reverse(1000);
    await expect.poll(async () => (await person.payment(1).authorize(3000)).approved, { timeout: 20_000, interval: 100 }).toBe(true);
    expect(await person.payment(0).authorize(1)).toMatchObject(exceeded);
  });

  it('is not overshot by authorizations of two cards at once', async () => {
    const decisions = await Promise.all(Array.from({ length: 40 }, (_, index) => person.payment(index % 2 === 0 ? 0 : 1).authorize(300)));
    const most = Math.floor(ACCOUNT_LIMIT / 300);
    await untilApproved(most, decisions, () => person.payment().authorize(300));
    await balanceBecomes([DEPOSIT - most * 300, most * 300]);
  });
});

describe('a limit of the program', () => {
  it('holds for the number of withdrawals a day, in which reversed ones do not count', async () => {
    const cash = (payment: ReturnType<typeof person.payment>) => payment.authorize(100, { atm: true });
    const first = person.payment();
    expect([await cash(first), await cash(person.payment())]).toMatchObject([{ approved: true }, { approved: true }]);
    const exceeded = { approved: false, responseCode: '65', declineReason: { code: 'count_limit_exceeded' } };
    expect(await cash(person.payment())).toMatchObject(exceeded);
    expect(await person.payment().authorize(100)).toMatchObject({ approved: true });
    await first.reverse();
    await expect.poll(async () => (await cash(person.payment())).approved, { timeout: 20_000, interval: 100 }).toBe(true);
  });

  it('is not overshot in number by authorizations at once', async () => {
    const decisions = await Promise.all(Array.from({ length: 50 }, () => person.payment().authorize(10)));
    await untilApproved(PROGRAM.counts.daily, decisions, () => person.payment().authorize(10));
  });

  it('holds for the cash that is paid out with a payment', async () => {
    expect(await person.payment().authorize(3000, { cashBackAmount: '2000' })).toMatchObject({ approved: true });
    expect(await person.payment().authorize(2100, { cashBackAmount: '2001' })).toMatchObject({
      approved: false,
      responseCode: '61',
      declineReason: { code: 'cash_back_limit_exceeded' },
    });
    await expect(person.payment().authorize(100, { cashBackAmount: '101' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
