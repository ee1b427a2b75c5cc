import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type HoldsClient, OrderRejectedError } from '@florin/card/testing/holds';
import { type Exception, ExceptionKind, ExceptionProposal, ExceptionStatus } from '@florin/proto/card/v1/exception';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { PaymentStatus } from '@florin/proto/card/v1/payment';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork, euro, SHOP, untilKnown } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

const CENT = 10n ** 16n;
const DEPOSIT = 10_000;
/** Adjustments above it need a second person. */
const APPROVAL_ABOVE = 500n * CENT;

let platform: PlatformInProcess;
let network: CardNetwork;
let card: RpcChannel;
let ledger: RpcChannel;
/** How many bookings into suspense fail from now on. */
let failing = 0;
/** True while the ledger rejects postings, as those of an account that it does not know. */
let isRejecting = false;
const wrapHolds = (holds: HoldsClient): HoldsClient => ({
  ...holds,
  post: (order) => (isRejecting ? Promise.reject(new OrderRejectedError('ACCOUNT_NOT_FOUND')) : holds.post(order)),
  move: async (order) => {
    if (order.purpose === 'suspense' && failing > 0) {
      failing -= 1;
      throw new CodedError('SERVICE_UNAVAILABLE');
    }
    await holds.move(order);
  },
});
beforeAll(async () => {
  platform = await startPlatformInProcess({ APPROVAL_ABOVE: JSON.stringify({ EURe: String(APPROVAL_ABOVE) }) }, { card: { wrapHolds } });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  const channelTo = (audience: string, scopes: readonly string[]) =>
    openOperatorChannel(platform, { audience, baseUrl: platform.urls[`${audience.toUpperCase()}_URL`], scopes });
  card = channelTo('card', [CARD_SCOPES.readExceptions, CARD_SCOPES.writeExceptions]);
  const { readBalances, writeAdjustments, approveAdjustments, readAdjustments } = LEDGER_SCOPES;
  ledger = channelTo('ledger', [readBalances, writeAdjustments, approveAdjustments, readAdjustments]);
});
afterAll(async () => {
  await Promise.all([network?.close(), card?.close(), ledger?.close()]);
  await platform?.close();
});

/** Returns the ledger's suspense, in cents. */
const suspense = async (): Promise<bigint> => {
  const { balances } = await ledger.client(BalanceService).getSystemBalances({});
  return BigInt(balances.find(({ name, token }) => name === 'suspense' && token === 'EURe')?.balance ?? '0') / CENT;
};

const exceptionOf = async (exceptionId: string): Promise<Exception> => {
  const { exception } = await card.client(ExceptionService).getException({ exceptionId });
  if (exception === undefined) throw new Error('no exception');
  return exception;
};

const resolve = (exceptionId: string, adjustmentId = '', note = 'looked at') =>
  card.client(ExceptionService).resolveException({ exceptionId, adjustmentId, note, actor: 'ann' });

type Order = { debit: string; credit: string; cents: bigint; externalReference: string };
const adjust = async ({ debit, credit, cents, externalReference }: Order, adjustmentId = randomUUID()): Promise<string> => {
  const transfers = [{ debit, credit, token: 'EURe', amount: String(cents * CENT) }];
  const change = { case: 'transfers' as const, value: { transfers, forced: true } };
  const metadata = { actor: 'operator:ann', reason: 'an exception', externalReference };
  await ledger.client(AdjustmentService).createAdjustment({ adjustmentId, change, metadata });
  return adjustmentId;
};

const newEvent = (cardId: string) => ({ eventId: randomUUID(), transactionId: randomUUID(), cardId });

let before: bigint;
beforeEach(async () => {
  before = await suspense();
});
const suspended = async (): Promise<bigint> => (await suspense()) - before;

const holder = async () => {
  const { token } = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, token);
  const api = platform.api.as(token);
  await api.sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(DEPOSIT) * CENT}` });
  const { id: accountId } = await api.userAccount.getAccount();
  const balance = async () => {
    const { data } = await api.userAccount.getBalances();
    return Number(data.find(({ currency }) => currency === 'EUR')?.spendable);
  };
  return { cardId, accountId, balance, payment: () => network.payment(cardId) };
};

describe('a report of an unknown card', () => {
  it('goes into suspense once, however often and at once it arrives', async () => {
    const event = newEvent(randomUUID());
    const clear = () => untilKnown(() => network.processor.clear({ event, amount: euro(250), merchant: SHOP }));
    const answers = await Promise.all([clear(), clear(), clear()]);
    const exceptionId = answers[0]?.exceptionId ?? '';
    expect(answers).toMatchObject(Array(3).fill({ exceptionId }));
    expect(answers[0]?.payment).toBeUndefined();
    expect((await clear()).exceptionId).toBe(exceptionId);
    expect(await suspended()).toBe(-250n);
    expect(await exceptionOf(exceptionId)).toMatchObject({
      ...{ kind: ExceptionKind.UNKNOWN_CARD, status: ExceptionStatus.OPEN, proposal: ExceptionProposal.ASSIGN, amount: '250' },
      ...{ suspendedAmount: String(-250n * CENT), token: 'EURe', eventId: event.eventId, eventType: 'clearing', cardId: event.cardId },
      ...{ accountId: '', paymentId: '', processor: 'operator', originalAmount: '250', originalCurrency: 'EUR' },
    });
    const other = { event, amount: euro(251), merchant: SHOP };
    await expect(network.processor.clear(other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is booked later when the ledger cannot be reached, and when the service has died before', async () => {
    failing = 3;
    const event = newEvent(randomUUID());
    const { exceptionId } = await network.processor.refund({ event, amount: euro(300) });
    expect((await exceptionOf(exceptionId)).suspendedAmount).toBe(String(300n * CENT));
    platform.clock.advanceSeconds(10);
    await expect.poll(suspended, { timeout: 20_000, interval: 100 }).toBe(300n);
    expect(failing).toBe(0);
  });

  it('is in suspense once when it is presented again', async () => {
    const cardId = randomUUID();
    const ofAcquirer = { acquirerReference: '8'.repeat(23) };
    const kinds: ExceptionKind[] = [];
    for (const _ of [1, 2]) {
      const event = { ...newEvent(cardId), network: ofAcquirer };
      const { exceptionId } = await network.processor.clear({ event, amount: euro(250), merchant: SHOP });
      kinds.push((await exceptionOf(exceptionId)).kind);
    }
    expect(kinds).toEqual([ExceptionKind.UNKNOWN_CARD, ExceptionKind.DUPLICATE]);
    expect(await suspended()).toBe(-250n);
  });

  it('that is a single message is changed there by later reports', async () => {
    const first = newEvent(randomUUID());
    const event = () => ({ ...first, eventId: randomUUID() });
    await network.processor.advise({ event: first, amount: euro(900), singleMessage: true });
    const part = { event: event(), amount: euro(400) };
    const { exceptionId } = await network.processor.reverse(part);
    expect(await network.processor.reverse(part)).toMatchObject({ exceptionId });
    expect(await exceptionOf(exceptionId)).toMatchObject({
      ...{ kind: ExceptionKind.UNKNOWN_CARD, eventType: 'reversal', transactionId: first.transactionId, amount: '400' },
      suspendedAmount: String(400n * CENT),
    });
    expect(await suspended()).toBe(-500n);
    await network.processor.advise({ event: event(), amount: euro(600), singleMessage: true });
    expect(await suspended()).toBe(-600n);
    await Promise.all([1, 2].map(() => untilKnown(() => network.processor.reverse({ event: event() }))));
    expect(await suspended()).toBe(0n);
  });

  it('that books nothing is rejected', async () => {
    const event = newEvent(randomUUID());
    await expect(network.processor.expire({ event })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    await expect(network.processor.advise({ event, amount: euro(100) })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    await expect(network.processor.clear({ event, amount: euro(100), secondPresentment: true })).rejects.toMatchObject({
      code: 'CARD_NOT_FOUND',
    });
    const { exceptionId } = await network.processor.advise({ event, amount: euro(100), singleMessage: true });
    expect(await exceptionOf(exceptionId)).toMatchObject({ eventType: 'advice', amount: '100' });
  });
});

describe('a report without a rate', () => {
  it.each(['ISK', 'ZZZ'])('in %s is kept, with the amount that the network settles', async (currency) => {
    const person = await holder();
    const amount = { amount: '500', currency, decimals: 0 };
    const unsettled = await network.processor.clear({ event: newEvent(person.cardId), amount });
    expect(await exceptionOf(unsettled.exceptionId)).toMatchObject({
      ...{ kind: ExceptionKind.UNKNOWN_RATE, amount: '', suspendedAmount: '', accountId: person.accountId },
      ...{ originalAmount: '500', originalCurrency: currency },
    });
    expect(await suspended()).toBe(0n);
    const settlement = { settlementAmount: '340', settlementCurrency: 'EUR' };
    const settled = await network.processor.clear({ event: { ...newEvent(person.cardId), network: settlement }, amount });
    expect(await exceptionOf(settled.exceptionId)).toMatchObject({ amount: '340', suspendedAmount: String(-340n * CENT) });
    expect(await suspended()).toBe(-340n);
    expect(await person.balance()).toBe(DEPOSIT);
  });

  it('is booked at the rate of its authorization, where that had one', async () => {
    const person = await holder();
    const payment = person.payment();
    const amount = { amount: '500', currency: 'ISK', decimals: 0 };
    await payment.authorize(0, { amount: { ...amount, billingAmount: '340' } });
    const part = await network.processor.clear({ event: payment.event(), amount: { ...amount, amount: '250' }, moreExpected: true });
    expect(part).toMatchObject({ exceptionId: '', payment: { heldAmount: '170', clearedAmount: '170' } });
    const rest = await network.processor.clear({ event: payment.event(), amount: { ...amount, amount: '250' } });
    expect(rest).toMatchObject({ exceptionId: '', payment: { heldAmount: '0', clearedAmount: '340' } });
    const other = await network.processor.clear({ event: payment.event(), amount: { amount: '5', currency: 'ZZZ', decimals: 0 } });
    expect(await exceptionOf(other.exceptionId)).toMatchObject({ kind: ExceptionKind.UNKNOWN_RATE });
  });

  it('stays on its payment when it is repeated after it was recorded', async () => {
    const person = await holder();
    const event = newEvent(person.cardId);
    const [first, second] = [
      await network.processor.credit({ event, amount: euro(100) }),
      await network.processor.credit({ event, amount: euro(100) }),
    ];
    expect(second).toEqual(first);
    expect([second.exceptionId, second.payment?.id]).toEqual(['', first.payment?.id]);
  });
});

describe('an amount in suspense', () => {
  it('is booked to an account by an adjustment, which a second person approves', async () => {
    const person = await holder();
    const { exceptionId } = await network.processor.clear({ event: newEvent(randomUUID()), amount: euro(600) });
    await expect(resolve(exceptionId)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const charge = { debit: person.accountId, credit: 'suspense', cents: 600n, externalReference: exceptionId };
    const unrelated = await adjust({ ...charge, cents: 1n });
    await expect(resolve(exceptionId, unrelated)).rejects.toMatchObject({ code: 'ADJUSTMENT_STATE_CONFLICT' });
    await expect(resolve(exceptionId, randomUUID())).rejects.toMatchObject({ code: 'ADJUSTMENT_NOT_FOUND' });
    const adjustmentId = await adjust(charge);
    await expect(resolve(exceptionId, adjustmentId)).rejects.toMatchObject({ code: 'ADJUSTMENT_STATE_CONFLICT' });
    const { adjustment } = await ledger.client(AdjustmentService).approveAdjustment({ adjustmentId, actor: 'operator:ben' });
    expect(adjustment?.status).toBe(AdjustmentStatus.BOOKED);
    const answers = await Promise.all([resolve(exceptionId, adjustmentId), resolve(exceptionId, adjustmentId)]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.exception).toMatchObject({
      ...{ status: ExceptionStatus.RESOLVED, adjustmentId, note: 'looked at', resolvedBy: 'operator:ann' },
    });
    expect(await suspended()).toBe(1n);
    expect(await person.balance()).toBe(DEPOSIT - 601);
    await expect(resolve(exceptionId, unrelated)).rejects.toMatchObject({ code: 'EXCEPTION_STATE_CONFLICT' });
  });
});

describe('an exception of a payment', () => {
  const ofPayment = async (paymentId: string, kind: ExceptionKind): Promise<Exception[]> => {
    const found: Exception[] = [];
    let cursor = '';
    do {
      const { exceptions, page } = await card.client(ExceptionService).listExceptions({ kind, page: { limit: 2, cursor } });
      found.push(...exceptions);
      cursor = page?.nextCursor ?? '';
    } while (cursor !== '');
    return found.filter((exception) => exception.paymentId === paymentId);
  };
  const raised = async (paymentId: string, kind: ExceptionKind, expected: object) => {
    await expect.poll(() => ofPayment(paymentId, kind), { interval: 100 }).toMatchObject([expected]);
    return (await ofPayment(paymentId, kind))[0]?.id ?? '';
  };

  it('is raised once for an over-clearing and for the debt that it leaves, oldest first, and is ended once', async () => {
    const person = await holder();
    const payment = person.payment();
    const { paymentId } = await payment.authorize(1000);
    const event = { ...payment.event(), network: { acquirerReference: '7'.repeat(23) } };
    await Promise.all([1, 2, 3].map(() => untilKnown(() => network.processor.clear({ event, amount: euro(DEPOSIT + 500) }))));
    const id = await raised(paymentId, ExceptionKind.OVER_CLEARING, {
      ...{ amount: String(DEPOSIT - 500), accountId: person.accountId, eventId: event.eventId, suspendedAmount: '' },
      proposal: ExceptionProposal.CHARGE_BACK,
    });
    await raised(paymentId, ExceptionKind.DEBT, { amount: '500', eventId: '', proposal: ExceptionProposal.COLLECT });
    await network.processor.clear({ event: { ...event, eventId: randomUUID() }, amount: euro(DEPOSIT + 500) });
    await raised(paymentId, ExceptionKind.DUPLICATE, { amount: String(DEPOSIT + 500) });
    const kinds: ExceptionKind[] = [ExceptionKind.OVER_CLEARING, ExceptionKind.DEBT];
    const both = await card.client(ExceptionService).listExceptions({ kinds, page: { limit: 100 } });
    const ofThis = both.exceptions.filter((exception) => exception.paymentId === paymentId);
    expect(ofThis.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    expect(both.exceptions.every(({ kind }) => kinds.includes(kind))).toBe(true);
    const [first, other] = await Promise.allSettled([resolve(id, '', 'accepted'), resolve(id, '', 'accepted')]);
    expect([first.status, other.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(await ofPayment(paymentId, ExceptionKind.OVER_CLEARING)).toEqual([]);
    const listed = await card.client(ExceptionService).listExceptions({ status: ExceptionStatus.RESOLVED, page: { limit: 100 } });
    expect(listed.exceptions.map((exception) => exception.id)).toContain(id);
  });

  it('is raised for what clearings at once exceed together, whatever each has found', async () => {
    const person = await holder();
    const payments = Array.from({ length: 4 }, () => person.payment());
    const over = async (payment: ReturnType<typeof person.payment>): Promise<number> => {
      const { paymentId } = await payment.authorize(1000);
      const clear = () =>
        untilKnown(() => network.processor.clear({ event: payment.event(), amount: euro(400), moreExpected: true, merchant: SHOP }));
      await Promise.all([clear(), clear(), clear(), clear()]);
      await expect.poll(() => ofPayment(paymentId, ExceptionKind.OVER_CLEARING), { interval: 100 }).toHaveLength(2);
      return (await ofPayment(paymentId, ExceptionKind.OVER_CLEARING)).reduce((sum, { amount }) => sum + Number(amount), 0);
    };
    expect(await Promise.all(payments.map(over))).toEqual([600, 600, 600, 600]);
  });

  it('is raised for the debt of a refund that is taken back', async () => {
    const person = await holder();
    const payment = person.payment();
    const { paymentId } = await payment.authorize(DEPOSIT);
    await payment.clear(DEPOSIT);
    await network.processor.reverseRefund({ event: payment.event(), amount: euro(700) });
    await raised(paymentId, ExceptionKind.DEBT, { amount: '700' });
  });

  it('is raised for a late clearing, a force post and a refund above the purchase', async () => {
    const person = await holder();
    const [late, forced] = [person.payment(), person.payment()];
    const { paymentId } = await late.authorize(900);
    await late.reverse();
    await late.clear(900);
    await raised(paymentId, ExceptionKind.LATE_CLEARING, { amount: '900', proposal: ExceptionProposal.CHARGE_BACK });
    await late.refund(1000);
    await raised(paymentId, ExceptionKind.REFUND_ABOVE_PURCHASE, { amount: '100', proposal: ExceptionProposal.VERIFY });
    const posted = await forced.clear(300);
    await raised(posted?.id ?? '', ExceptionKind.FORCE_POST, { amount: '300', proposal: ExceptionProposal.VERIFY });
  });

  it('is raised for a reversal and a clearing that fit several payments, which stay as they are', async () => {
    const person = await holder();
    const named = { network: { transactionId: randomUUID() } };
    const open = [person.payment(), person.payment()];
    const ids: string[] = [];
    for (const one of open) ids.push((await one.authorize(900, { event: one.event(named) })).paymentId);
    const candidatePaymentIds = expect.arrayContaining(ids);
    const reversal = { event: person.payment().event(named) };
    const { payment } = await untilKnown(() => network.processor.reverse(reversal));
    await raised(payment?.id ?? '', ExceptionKind.AMBIGUOUS, { candidatePaymentIds, proposal: ExceptionProposal.VERIFY });
    const cleared = await network.processor.clear({ event: person.payment().event(named), amount: euro(900), merchant: SHOP });
    await raised(cleared.payment?.id ?? '', ExceptionKind.FORCE_POST, { candidatePaymentIds, amount: '900' });
    for (const paymentId of ids)
      expect((await network.payments.getPayment({ paymentId })).payment).toMatchObject({ heldAmount: '900', clearedAmount: '0' });
    expect(await person.balance()).toBe(DEPOSIT - 2700);
  });

  it('is raised for a refund to an erased person, which is booked all the same', async () => {
    const { token } = await registerPerson(platform.api);
    const cardId = await createCard(platform.api, token);
    expect((await platform.api.request('DELETE', '/user', { token })).status).toBe(200);
    const { payment } = await network.processor.refund({ event: newEvent(cardId), amount: euro(400), merchant: SHOP });
    expect(payment).toMatchObject({ refundedAmount: '400' });
    await raised(payment?.id ?? '', ExceptionKind.ERASED_PERSON, { amount: '400', proposal: ExceptionProposal.SETTLE_ELSEWHERE });
  });

  it.each(['a retry', 'a replay'])('is raised for an order that the ledger rejects, and resolved by %s that it accepts', async (by) => {
    const person = await holder();
    const payment = person.payment();
    const { paymentId } = await payment.authorize(900);
    const since = timestampFromDate(platform.clock.now());
    isRejecting = true;
    await payment.clear(900);
    const id = await raised(paymentId, ExceptionKind.ORDER_REJECTED, { amount: '900', proposal: ExceptionProposal.REPEAT });
    platform.clock.advanceSeconds(6);
    await expect(resolve(id)).rejects.toMatchObject({ code: 'EXCEPTION_STATE_CONFLICT' });
    isRejecting = false;
    if (by === 'a retry') platform.clock.advanceSeconds(610);
    else expect((await network.payments.replayPayments({ changedSince: since, page: { limit: 100 } })).rejectedPaymentIds).toEqual([]);
    await expect.poll(async () => (await exceptionOf(id)).status, { timeout: 20_000, interval: 100 }).toBe(ExceptionStatus.RESOLVED);
    expect(await exceptionOf(id)).toMatchObject({ resolvedBy: 'card', note: 'the order is no longer outstanding' });
    expect(await person.balance()).toBe(DEPOSIT - 900);
    expect((await network.payments.getPayment({ paymentId })).payment).toMatchObject({
      clearedAmount: '900',
      status: PaymentStatus.SETTLED,
    });
  });

  it('is not found under an unknown id', async () => {
    await expect(exceptionOf(randomUUID())).rejects.toMatchObject({ code: 'EXCEPTION_NOT_FOUND' });
    await expect(resolve(randomUUID())).rejects.toMatchObject({ code: 'EXCEPTION_NOT_FOUND' });
  });
});
