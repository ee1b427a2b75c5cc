import { randomUUID } from 'node:crypto';
import type { Message, MessageInitShape } from '@bufbuild/protobuf';
import { DisputeStage } from '@florin/proto/card/v1/payment';
import type { AdvanceDisputeRequestSchema } from '@florin/proto/card/v1/payment_service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, PAYMENT, raiseChallenge, registerPerson } from '../support/story.ts';

const DEPOSIT = 10_000;
const CLEARED = 1000;

let platform: PlatformInProcess;
let network: CardNetwork;
beforeAll(async () => {
  // A program that credits 40 percent provisionally.
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify({ provisionalCreditPercent: 40 }) });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

/** A person with a card and money. */
const holder = async () => {
  const person = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, person.token);
  const body = { token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` };
  await platform.api.as(person.token).sandbox.createDeposit(body);
  return { ...person, cardId };
};
type Holder = Awaited<ReturnType<typeof holder>>;

/** A person with a cleared payment. */
const payer = async (own?: Holder) => {
  const person = own ?? (await holder());
  const { token, cardId } = person;
  const payment = network.payment(cardId);
  const { paymentId, authorizationCode } = await payment.authorize(CLEARED);
  await payment.clear(CLEARED);
  const balance = async () => {
    const { data } = await platform.api.as(token).userAccount.getBalances();
    return Number(data.find(({ currency }) => currency === 'EUR')?.spendable);
  };
  const dispute = (body: object = {}) =>
    platform.api.request('POST', `/cards/transactions/${paymentId}/dispute`, { token, body: { reason: 'other', ...body } });
  const resolve = (won: boolean) => network.payments.resolveDispute({ paymentId, won });
  const shown = () => platform.api.as(token).cards.getCardTransaction({ transactionId: paymentId });
  /** As the issuer's staff does it. */
  const open = (more: { amount?: string; requestId?: string } = {}) =>
    network.payments.disputePayment({ paymentId, requestId: randomUUID(), reason: 'duplicate', actor: 'ann', ...more });
  const advance = (stage: DisputeStage, more: Partial<Exclude<MessageInitShape<typeof AdvanceDisputeRequestSchema>, Message>> = {}) =>
    network.payments.advanceDispute({ paymentId, eventId: randomUUID(), stage, ...more });
  return { ...person, paymentId, authorizationCode, payment, balance, dispute, resolve, shown, open, advance };
};

let person: Awaited<ReturnType<typeof payer>>;

/** Each test has a person of its own, whose balance, card and list of disputes it may change. */
const withOwnPerson = () =>
  beforeEach(async () => {
    person = await payer();
  });

/** Tests that look at their payment alone share a person: no more of them than get a provisional credit. */
const withSharedPerson = () => {
  let shared: Holder;
  beforeAll(async () => {
    shared = await holder();
  });
  beforeEach(async () => {
    person = await payer(shared);
  });
};

const PAID = DEPOSIT - CLEARED;
const balanceBecomes = (cents: number) => expect.poll(person.balance, { interval: 50 }).toBe(cents);

describe('a dispute', () => {
  withOwnPerson();

  it('that is won credits what was not credited provisionally, once', async () => {
    expect((await person.dispute()).status).toBe(200);
    await balanceBecomes(PAID + 400);
    await Promise.all([person.resolve(true), person.resolve(true)]);
    await expect(person.resolve(false)).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
    await balanceBecomes(DEPOSIT);
    expect(await person.shown()).toMatchObject({
      dispute: { status: 'won', amount: '1000', provisionalCredit: '400', creditedAmount: '1000' },
    });
    expectCode(await person.dispute(), 409, 'DISPUTE_NOT_AVAILABLE');
  });

  it('that is lost takes the provisional credit back, once', async () => {
    await person.dispute();
    await balanceBecomes(PAID + 400);
    await Promise.all([person.resolve(false), person.resolve(false)]);
    await balanceBecomes(PAID);
    expect(await person.shown()).toMatchObject({ dispute: { status: 'lost', creditedAmount: '0' } });
  });

  it('gives way to a refund that arrives while it is open, whatever its outcome', async () => {
    await person.dispute();
    await person.payment.refund(800);
    // 800 from the merchant, and 200 are left in dispute: 200 of the provisional 400 go back.
    await balanceBecomes(DEPOSIT);
    await person.resolve(true);
    await balanceBecomes(DEPOSIT);
    expect(await person.shown()).toMatchObject({ refundedAmount: '800', dispute: { status: 'won', creditedAmount: '200' } });
  });

  it('that was won gives way to a later refund', async () => {
    await person.dispute();
    await person.resolve(true);
    await balanceBecomes(DEPOSIT);
    await person.payment.refund(1000);
    await balanceBecomes(DEPOSIT);
    expect(await person.shown()).toMatchObject({ refundedAmount: '1000', dispute: { creditedAmount: '0' } });
  });
});

describe('a dispute of the cardholder', () => {
  withOwnPerson();

  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await platform.api.request(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
    expect(answer.status, path).toBe(200);
    return answer.body as { data: { id: string }[]; id: string };
  };

  it('is listed, read and withdrawn by the cardholder, and by nobody else', async () => {
    const { id } = (await person.dispute()).body as { id: string };
    expect((await call('GET', '/cards/disputes')).data).toMatchObject([{ id, status: 'submitted', amount: '1000', currency: 'EUR' }]);
    expect(await call('GET', `/cards/disputes/${id}`)).toMatchObject({ id, timeline: [{ stage: 'opened' }] });
    const stranger = (await registerPerson(platform.api)).token;
    for (const [method, path] of [
      ['GET', `/cards/disputes/${id}`],
      ['POST', `/cards/disputes/${id}/withdraw`],
      ['POST', `/sandbox/disputes/${id}/resolve`],
    ] as const) {
      const body = path.endsWith('resolve') ? { body: { outcome: 'won' } } : {};
      expectCode(await platform.api.request(method, path, { token: stranger, ...body }), 404, 'PAYMENT_NOT_FOUND');
    }
    const withdrawn = { status: 'withdrawn', creditedAmount: '0', timeline: [{ stage: 'opened' }, { stage: 'withdrawn' }] };
    expect(await call('POST', `/cards/disputes/${id}/withdraw`)).toMatchObject(withdrawn);
    expect(await call('POST', `/cards/disputes/${id}/withdraw`)).toMatchObject(withdrawn);
    expectCode(
      await platform.api.request('POST', `/sandbox/disputes/${id}/resolve`, { token: person.token, body: { outcome: 'won' } }),
      409,
      'DISPUTE_NOT_AVAILABLE',
    );
  });

  it('is brought to its end in the sandbox', async () => {
    const { id } = (await person.dispute()).body as { id: string };
    const resolve = (outcome: string) => call('POST', `/sandbox/disputes/${id}/resolve`, { outcome });
    expect(await resolve('chargeback')).toMatchObject({ stage: 'chargeback', status: 'submitted' });
    expect(await resolve('won')).toMatchObject({ stage: 'won', status: 'won', creditedAmount: '1000' });
  });
});

describe('a dispute in stages', () => {
  withOwnPerson();

  it('costs the cardholder nothing when the payment is presented again and the dispute is won', async () => {
    await person.dispute();
    await balanceBecomes(PAID + 400);
    await person.advance(DisputeStage.CHARGEBACK, { networkCaseId: 'VROL-1', networkReasonCode: '13.1', note: 'Letter of the cardholder' });
    // The clearing file has a transaction id of its own.
    const presented = network.payment(person.cardId);
    await presented.clear(CLEARED, { event: presented.event({ authorizationCode: person.authorizationCode }), secondPresentment: true });
    expect(await person.shown()).toMatchObject({ clearedAmount: '1000', dispute: { status: 'submitted', stage: 'representment' } });
    await person.advance(DisputeStage.WON);
    await balanceBecomes(DEPOSIT);
    const { payment } = await network.payments.getPayment({ paymentId: person.paymentId });
    expect(payment?.dispute).toMatchObject({ networkCaseId: 'VROL-1', networkReasonCode: '13.1', stage: DisputeStage.WON });
    expect(payment?.dispute?.steps).toMatchObject([
      { stage: DisputeStage.OPENED, actor: 'cardholder' },
      { stage: DisputeStage.CHARGEBACK, note: 'Letter of the cardholder', actor: 'operator' },
      { stage: DisputeStage.REPRESENTMENT, amount: '1000', actor: 'operator' },
      { stage: DisputeStage.WON },
    ]);
  });

  it('is opened by staff for a part, and again for what is cleared later', async () => {
    await person.open({ amount: '300' });
    await balanceBecomes(PAID + 120);
    await person.advance(DisputeStage.WON, { amount: '200' });
    await balanceBecomes(PAID + 200);
    await expect(person.open({ amount: '701' })).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
    expect((await person.dispute()).status).toBe(200);
    await balanceBecomes(PAID + 200 + 280);
    await person.payment.clear(500);
    await person.open();
    await balanceBecomes(PAID - 500 + 200 + 280 + 200);
    expect(await person.shown()).toMatchObject({
      earlierDisputes: [
        { amount: '300', stage: 'won' },
        { amount: '700', stage: 'opened' },
      ],
      dispute: { amount: '500', stage: 'opened' },
    });
  });

  it('takes each step once, and one outcome of several at once', async () => {
    await person.open();
    const eventId = randomUUID();
    const chargeback = () => person.advance(DisputeStage.CHARGEBACK, { eventId, amount: '900' });
    await Promise.all([chargeback(), chargeback(), chargeback()]);
    await expect(person.advance(DisputeStage.CHARGEBACK, { eventId, amount: '901' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await expect(person.advance(DisputeStage.WON, { amount: '1001' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const outcomes = [DisputeStage.WON, DisputeStage.LOST, DisputeStage.WITHDRAWN];
    const ends = await Promise.allSettled(outcomes.map((stage) => person.advance(stage)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { payment } = await network.payments.getPayment({ paymentId: person.paymentId });
    expect(payment?.dispute?.steps.filter(({ eventId: id }) => id === eventId)).toHaveLength(1);
    const won = payment?.dispute?.stage === DisputeStage.WON;
    await balanceBecomes(won ? DEPOSIT : PAID);
    const { payments: listed } = await network.payments.listDisputes({ status: payment?.dispute?.status ?? '' });
    expect(listed.map(({ id }) => id)).toContain(person.paymentId);
  });
});

describe('a step of a dispute', () => {
  withSharedPerson();

  it('is taken as a repeat after another dispute was opened', async () => {
    await person.open();
    const eventId = randomUUID();
    await person.advance(DisputeStage.WITHDRAWN, { eventId });
    await person.open();
    const { payment } = await person.advance(DisputeStage.WITHDRAWN, { eventId });
    expect([payment?.earlierDisputes.length, payment?.dispute?.stage]).toEqual([1, DisputeStage.OPENED]);
  });

  it('is rejected for an unknown dispute, and as the first stage', async () => {
    await expect(person.advance(DisputeStage.CHARGEBACK)).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
    await person.open();
    await expect(person.advance(DisputeStage.CHARGEBACK, { disputeId: randomUUID() })).rejects.toMatchObject({
      code: 'DISPUTE_NOT_AVAILABLE',
    });
    await expect(person.advance(DisputeStage.OPENED)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('cannot be the end before a dispute was opened', async () => {
    await expect(person.resolve(true)).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
    await expect(network.payments.resolveDispute({ paymentId: '01890a5d-ac96-774b-bcce-b302099a8057', won: true })).rejects.toMatchObject({
      code: 'PAYMENT_NOT_FOUND',
    });
  });
});

describe('a dispute because of fraud', () => {
  withOwnPerson();

  it('blocks the card, which can be replaced', async () => {
    expect((await person.dispute({ reason: 'fraud' })).body).toMatchObject({ cardBlocked: true });
    const client = platform.api.as(person.token);
    await expect.poll(async () => (await client.cards.getCard({ cardId: person.cardId })).status).toBe('stolen');
    expect(await network.payment(person.cardId).authorize(1)).toMatchObject({ approved: false, responseCode: '43' });
    expect((await platform.api.request('POST', `/cards/${person.cardId}/replace`, { token: person.token, body: {} })).status).toBe(200);
  });

  it('leaves the replacement alone when it comes later', async () => {
    const act = (action: string) => platform.api.request('POST', `/cards/${person.cardId}/${action}`, { token: person.token, body: {} });
    await act('lost');
    expect((await act('replace')).status).toBe(200);
    expect((await person.dispute({ reason: 'fraud' })).body).toMatchObject({ cardBlocked: false });
    expect((await platform.api.as(person.token).cards.listCards()).data.map(({ status }) => status).toSorted()).toEqual(['active', 'lost']);
  });
});

describe('a provisional credit', () => {
  withSharedPerson();

  it('is not given for what the cardholder has approved', async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, person.cardId);
    await decide(platform.api, person, challengeId, 'approve');
    const approved = network.payment(person.cardId);
    const amount = Number(PAYMENT.amount);
    const { paymentId } = await approved.authorize(amount, { authentication: { challengeId, eci: '05' } });
    await approved.clear(amount);
    const { payment } = await network.payments.disputePayment({ paymentId, requestId: randomUUID(), reason: 'not_received' });
    expect(payment?.dispute).toMatchObject({ provisionalCredit: '0', amount: String(amount) });
  });

  it('is not given for it either when the network has approved the payment in our place', async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, person.cardId);
    await decide(platform.api, person, challengeId, 'approve');
    const standIn = network.payment(person.cardId);
    const amount = Number(PAYMENT.amount);
    const event = standIn.event();
    const { paymentId } = await standIn.authorize(amount, { event, authentication: { challengeId, eci: '05' } });
    await standIn.undo(event);
    await standIn.advise(amount);
    await standIn.clear(amount);
    const { payment } = await network.payments.disputePayment({ paymentId, requestId: randomUUID(), reason: 'not_received' });
    expect(payment).toMatchObject({ challengeId, dispute: { provisionalCredit: '0', amount: String(amount) } });
  });

  it('is given to a user three times in a while, also at once, and not for what was cleared long ago', async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const other = network.payment(person.cardId);
        const { paymentId } = await other.authorize(100);
        await other.clear(100);
        return paymentId;
      }),
    );
    const disputed = await Promise.all(
      others.map((paymentId) => network.payments.disputePayment({ paymentId, requestId: randomUUID(), reason: 'other' })),
    );
    const credits = disputed.map(({ payment }) => payment?.dispute?.provisionalCredit);
    expect(credits.toSorted()).toEqual(['0', '40', '40', '40']);
    const late = await payer();
    platform.clock.advanceSeconds(121 * 86_400);
    const { payment } = await late.open();
    expect(payment?.dispute).toMatchObject({ provisionalCredit: '0' });
  });
});
