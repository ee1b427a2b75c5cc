import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { HoldsClient } from '@florin/card/testing/holds';
import { EntryMode, PaymentStatus } from '@florin/proto/card/v1/payment';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import { pause } from '@florin/rpc/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, CORRECT_PIN, connectCardNetwork, euro, SHOP } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

const DAY_SECONDS = 86_400;

/** Runs after the ledger has raised a hold, and before the increase is recorded. */
let afterIncrease: (() => Promise<unknown>) | undefined;
let platform: PlatformInProcess;
let network: CardNetwork;
let ledger: RpcChannel;

const interrupted = (holds: HoldsClient): HoldsClient => ({
  ...holds,
  increase: async (change) => {
    const result = await holds.increase(change);
    const next = afterIncrease;
    afterIncrease = undefined;
    await next?.();
    return result;
  },
});

beforeAll(async () => {
  platform = await startPlatformInProcess({}, { card: { wrapHolds: interrupted } });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  const toLedger = {
    audience: 'ledger',
    baseUrl: platform.urls['LEDGER_URL'],
    scopes: [LEDGER_SCOPES.readBalances, LEDGER_SCOPES.writeAccounts],
  };
  ledger = openOperatorChannel(platform, toLedger);
});
afterAll(async () => {
  await network?.close();
  await ledger?.close();
  await platform?.close();
});

const holder = (cents: number) => createCardHolder(platform, network, cents);
const becomes = (of: () => Promise<number[]>, expected: number[]) => expect.poll(of, { interval: 50 }).toEqual(expected);

describe('a hold lasts as long as its payment', () => {
  it.each([
    ['of the same amount', 3000],
    ['of a lower amount', 2000],
  ])('after an advice %s', async (_, amount) => {
    const person = await holder(10_000);
    const payment = person.payment();
    expect(await payment.authorize(3000)).toMatchObject({ approved: true });
    platform.clock.advanceSeconds(9 * DAY_SECONDS);
    await payment.advise(amount);
    platform.clock.advanceSeconds(4 * DAY_SECONDS);
    const found = (await network.payments.findPaymentsByReference({ reference: payment.transactionId })).payments[0];
    expect(found).toMatchObject({ status: PaymentStatus.PENDING, heldAmount: `${amount}` });
    // Longer than the ledger takes to release holds whose time is over.
    await pause(3000);
    const { currencies } = await ledger.client(BalanceService).getAccountBalances({ accountId: found?.accountId ?? '' });
    expect(currencies[0]).toMatchObject({ spendable: `${10_000 - amount}`, nonSpendable: `${amount}` });
  });
});

describe('a clearing above what is held, while an increase is decided', () => {
  it('leaves the ledger with what the payment holds, and counts what was authorized', async () => {
    const person = await holder(10_000);
    const payment = person.payment();
    await payment.authorize(1000);
    afterIncrease = () => payment.clear(1200, { moreExpected: true });
    expect(await payment.increment(500)).toMatchObject({ approved: true });
    await becomes(person.balance, [8500, 300]);
    await expect.poll(() => network.used(person.cardId)).toBe(1500);
    expect(await payment.reverse(100)).toMatchObject({ heldAmount: '200' });
    await becomes(person.balance, [8600, 200]);
    await payment.clear(200);
    await becomes(person.balance, [8600, 0]);
  });
});

describe('a single message that the network has approved in our place', () => {
  it('is booked at once, and what its reversal takes back is credited', async () => {
    const person = await holder(10_000);
    const { processor } = network;
    const transactionId = randomUUID();
    const reference = () => ({ eventId: randomUUID(), transactionId, cardId: person.cardId });
    const advice = { amount: euro(2000), merchant: SHOP, atm: true, singleMessage: true };
    const { payment } = await processor.advise({ event: reference(), ...advice });
    expect(payment).toMatchObject({ status: PaymentStatus.SETTLED, clearedAmount: '2000', heldAmount: '0' });
    await becomes(person.balance, [8000, 0]);
    expect((await processor.advise({ event: reference(), ...advice, amount: euro(1500) })).payment).toMatchObject({
      clearedAmount: '1500',
    });
    await becomes(person.balance, [8500, 0]);
    expect((await processor.reverse({ event: reference() })).payment).toMatchObject({ clearedAmount: '0' });
    await becomes(person.balance, [10_000, 0]);
    await expect.poll(() => network.used(person.cardId)).toBe(0);
  });

  it('is booked from what is held of it', async () => {
    const person = await holder(10_000);
    const payment = person.payment();
    await payment.authorize(3000);
    const request = { event: payment.event(), amount: euro(2500), merchant: SHOP, singleMessage: true };
    expect((await network.processor.advise(request)).payment).toMatchObject({ clearedAmount: '2500', heldAmount: '0' });
    await becomes(person.balance, [7500, 0]);
  });
});

describe('an expiry that the processor states', () => {
  it('is when the hold expires, whatever the program says', async () => {
    const person = await holder(10_000);
    const at = (days: number) => timestampFromDate(new Date(platform.clock.now().getTime() + days * DAY_SECONDS * 1000));
    const [soon, later] = [person.payment(), person.payment()];
    await soon.authorize(1000, { event: soon.event({ network: { expiresAt: at(1) } }) });
    await later.authorize(2000, { event: later.event({ network: { expiresAt: at(30) } }) });
    const statusOf = async ({ transactionId }: typeof soon) =>
      (await network.payments.findPaymentsByReference({ reference: transactionId })).payments[0]?.status;
    platform.clock.advanceSeconds(2 * DAY_SECONDS);
    await expect.poll(() => statusOf(soon), { interval: 50 }).toBe(PaymentStatus.EXPIRED);
    platform.clock.advanceSeconds(27 * DAY_SECONDS);
    await pause(3000);
    expect(await statusOf(later)).toBe(PaymentStatus.PENDING);
  });
});

describe('a verification of the card', () => {
  it('is declined while the account is blocked', async () => {
    const person = await holder(100);
    const { accountId } = (await person.payment().clear(1)) ?? {};
    const verify = async () => (await network.processor.verify({ event: person.payment().event(), merchant: SHOP })).decision;
    expect(await verify()).toMatchObject({ approved: true, responseCode: '00' });
    const accounts = ledger.client(AccountService);
    await accounts.blockAccount({ accountId: accountId ?? '' });
    expect(await verify()).toMatchObject({ approved: false, declineReason: { code: 'account_blocked' } });
    const inquiry = { event: person.payment().event(), merchant: SHOP, checks: CORRECT_PIN };
    expect((await network.processor.inquireBalance(inquiry)).decision).toMatchObject({ declineReason: { code: 'account_blocked' } });
  });
});

describe('cash that is paid out at a counter', () => {
  it('counts in the limit of cash, with what machines have paid out', async () => {
    const person = await holder(200_000);
    const cash = (amount: number, cashBackAmount: string) =>
      person.payment().authorize(amount, { entryMode: EntryMode.CHIP, cashBackAmount });
    expect(await person.payment().authorize(85_000, { atm: true })).toMatchObject({ approved: true });
    expect(await cash(30_000, '10000')).toMatchObject({ approved: true });
    expect(await cash(7000, '5001')).toMatchObject({ approved: false, declineReason: { code: 'atm_limit_exceeded' } });
    expect(await cash(7000, '5000')).toMatchObject({ approved: true });
    await expect.poll(async () => (await network.payments.getCardLimits({ cardId: person.cardId })).limits?.atm?.used).toBe('100000');
    expect(await person.payment().authorize(100, { atm: true })).toMatchObject({ declineReason: { code: 'atm_limit_exceeded' } });
  });
});

describe('an announced credit beside a hold', () => {
  it('is taken back alone, and expires alone', async () => {
    const person = await holder(10_000);
    const payment = person.payment();
    await payment.authorize(3000);
    const announce = () => network.processor.announceCredit({ event: payment.event(), amount: euro(500), merchant: SHOP });
    await announce();
    const { payment: taken } = await network.processor.reverseAnnouncedCredit({ event: payment.event() });
    expect(taken).toMatchObject({ heldAmount: '3000', pendingCreditAmount: '0', status: PaymentStatus.PENDING });
    await announce();
    await payment.clear(3000);
    platform.clock.advanceSeconds(40 * DAY_SECONDS);
    const pending = async () => {
      const { payments } = await network.payments.findPaymentsByReference({ reference: payment.transactionId });
      return payments.flatMap(({ pendingCreditAmount, status }) => [Number(pendingCreditAmount), status]);
    };
    await becomes(pending, [0, PaymentStatus.SETTLED]);
  });
});
