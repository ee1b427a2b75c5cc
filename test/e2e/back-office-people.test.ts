import { randomUUID } from 'node:crypto';
import type { AuditCall, AuditCalls, PaymentDetail, QueueItems, Summary } from '@florin/back-office/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOfficeInProcess, type Operator, startBackOffice } from '../support/back-office.ts';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, newEmail, newPhone, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

/** Enough on a machine with other work. */
const LONG_MS = 120_000;
const REASON = 'the person called about a payment';
/** Nothing else in this platform has it. */
const RETRIEVAL_REFERENCE = '632712345678';

let platform: PlatformInProcess;
let network: CardNetwork;
let office: BackOfficeInProcess;
let support: Operator;
let person: Person & { email: string };
let cardId: string;
let challengeId: string;
let paymentId: string;
let userId: string;
/** Names that the card network and its processor give the payment. */
let namesOfPayment: string[];

beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {} });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  office = await startBackOffice(platform);
  support = await office.operator('support');
  const { api } = platform;
  const email = newEmail();
  person = { ...(await registerPerson(api, undefined, { email })), email };
  const { token } = person;
  cardId = await createCard(api, token, { cardName: 'Everyday', phone: newPhone() });
  await api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `100${'0'.repeat(18)}` });
  await api.as(token).sandbox.createWithdrawal({ token: 'EURe', amount: `1${'0'.repeat(18)}` });
  challengeId = await raiseChallenge(api, token, cardId);
  await decide(api, person, challengeId, 'approve');
  const payment = network.payment(cardId);
  const event = payment.event({ retrievalReference: RETRIEVAL_REFERENCE });
  const decision = await payment.authorize(100, { event });
  ({ paymentId } = decision);
  namesOfPayment = [payment.transactionId, event.eventId ?? '', RETRIEVAL_REFERENCE, decision.authorizationCode];
  await payment.clear(100);
  ({ id: userId } = await api.as(token).user.getUser());
}, LONG_MS);
afterAll(async () => {
  await network?.close();
  await office?.close();
  await platform?.close();
});

const NOTHING = { people: [], exceptions: [], hasMore: false };

const search = (by: string, value: string, reason = REASON) => support.ask('POST /api/searches', { body: { by, value, reason } });
const open = (operator = support, id = userId) => operator.ask(`POST /api/people/${id}/access`, { body: { reason: REASON } });
const read = async (path: string) => {
  const { status, body } = await support.ask(`GET /api/people/${userId}${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

describe('a search', () => {
  it('finds a person by e-mail address, wallet, id, and by the end of a card number', async () => {
    await open();
    const [card] = (await read('/cards'))['cards'] as { id: string; last4: string }[];
    const found = { userId, email: person.email.replace(/^(.)[^@]*/, '$1•••'), match: { kind: 'person', id: userId } };
    for (const [by, value] of [
      ['email', person.email.toUpperCase()],
      ['wallet', person.wallet.address],
      ['id', userId],
    ] as const) {
      expect(await search(by, value)).toMatchObject({ status: 200, body: { people: [found], hasMore: false } });
    }
    const byCard = await search('last4', card?.last4 ?? '');
    expect(byCard.body['people']).toContainEqual(expect.objectContaining({ userId, match: { kind: 'card', id: cardId } }));
    expect(JSON.stringify(byCard.body)).not.toContain(person.email);
  });

  it('finds a person by the id of what belongs to them', async () => {
    await open();
    const idOf = async (name: string) => ((await read(`/${name}`))[name] as { id: string }[])[0]?.id ?? '';
    const account = (await read(''))['account'] as { id: string };
    for (const [kind, id] of [
      ['person', userId],
      ['card', cardId],
      ['payment', paymentId],
      ['challenge', challengeId],
      ['account', account.id],
      ['deposit', await idOf('deposits')],
      ['withdrawal', await idOf('withdrawals')],
    ] as const) {
      expect((await search('reference', id)).body).toMatchObject({ people: [{ userId, match: { kind, id } }] });
    }
  });

  it('finds a person by what others call a payment or a challenge, and by the reference of the account', async () => {
    await open();
    const account = (await read(''))['account'] as { id: string; reference: string };
    const [challenge] = (await read('/challenges'))['challenges'] as { reference: string }[];
    const spaced = account.reference.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1 ');
    expect(namesOfPayment.map((name) => name !== '')).toEqual([true, true, true, true]);
    for (const [kind, id, names] of [
      ['payment', paymentId, namesOfPayment],
      ['challenge', challengeId, [challenge?.reference ?? '']],
      ['account', account.id, [account.reference, spaced]],
    ] as const) {
      for (const name of names) {
        const { body } = await search('reference', name);
        expect([name, body]).toEqual([
          name,
          expect.objectContaining({ people: [expect.objectContaining({ userId, match: { kind, id } })] }),
        ]);
      }
    }
    for (const name of [RETRIEVAL_REFERENCE.slice(0, -1), `${RETRIEVAL_REFERENCE}0`, '.*', '6327.*', '{"$gt":""}', 'RF00NOBODY', 'x']) {
      expect([name, (await search('reference', name)).body]).toEqual([name, NOTHING]);
    }
  });

  it('finds a person by the hash of a transaction, and shows what it moved', async () => {
    await open();
    for (const [kind, list] of [
      ['deposit', 'deposits'],
      ['withdrawal', 'withdrawals'],
    ] as const) {
      const [moved] = (await read(`/${list}`))[list] as { id: string; txHash: string }[];
      const { id = '', txHash = '' } = moved ?? {};
      for (const hash of [txHash, `0x${txHash.slice(2).toUpperCase()}`]) {
        expect((await search('transaction', hash)).body).toMatchObject({ people: [{ userId, match: { kind, id } }], exceptions: [] });
      }
      expect(await read(`/${list}/${id}`)).toEqual({ [list]: [moved] });
      const stranger = await registerPerson(platform.api);
      const { id: other } = await platform.api.as(stranger.token).user.getUser();
      await open(support, other);
      const refused = await support.ask(`GET /api/people/${other}/${list}/${id}`);
      const missing = await support.ask(`GET /api/people/${other}/${list}/${randomUUID()}`);
      expect([refused.status, refused.body['error']]).toEqual([404, missing.body['error']]);
    }
  });

  it('is for those who may read people, and says nothing to others', async () => {
    const admin = await office.operator('viewer', 'admin');
    for (const [by, value] of [
      ['reference', namesOfPayment[0] ?? ''],
      ['reference', randomUUID()],
      ['transaction', `0x${'1'.repeat(64)}`],
    ] as const) {
      const refused = await admin.ask('POST /api/searches', { body: { by, value, reason: REASON } });
      expect([refused.status, refused.body['error']]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('finds nobody who is not there, and takes no nonsense', async () => {
    for (const [by, value] of [
      ['email', newEmail()],
      ['wallet', `0x${'1'.repeat(40)}`],
      ['id', randomUUID()],
      ['reference', randomUUID()],
      ['transaction', `0x${'1'.repeat(64)}`],
    ] as const) {
      expect((await search(by, value)).body).toEqual(NOTHING);
    }
    for (const [by, value] of [
      ['email', 'nobody'],
      ['wallet', '0x1'],
      ['last4', '12'],
      ['id', 'x'],
      ['reference', 'x'.repeat(101)],
      ['reference', 'a\u0000b'],
      ['transaction', `0x${'1'.repeat(63)}`],
      ['transaction', 'x'],
      ['name', 'Ann'],
    ] as const) {
      expect(await search(by, value)).toMatchObject({ status: 422, body: { error: 'VALIDATION_FAILED' } });
    }
    expect(await search('email', person.email, 'why not')).toMatchObject({ status: 422 });
  });
});

describe('the file of a person', () => {
  it('is read with a reason only, by the one who gave it, for half an hour', async () => {
    const other = await office.operator('compliance');
    expect(await other.ask(`GET /api/people/${userId}`)).toMatchObject({ status: 422, body: { error: 'REASON_REQUIRED' } });
    expect(await other.ask(`GET /api/people/${userId}/access`)).toMatchObject({ status: 404 });
    expect(await other.ask(`POST /api/people/${userId}/access`, { body: {} })).toMatchObject({ status: 422 });
    expect(await other.ask(`POST /api/people/${userId}/access`, { body: { reason: 'short' } })).toMatchObject({ status: 422 });
    expect(await open(other)).toMatchObject({ status: 201, body: { userId, reason: REASON } });
    expect(await other.ask(`GET /api/people/${userId}/access`)).toMatchObject({ status: 200, body: { reason: REASON } });
    expect(await other.ask(`GET /api/people/${userId}`)).toMatchObject({ status: 200 });
    const stranger = await registerPerson(platform.api);
    const { id } = await platform.api.as(stranger.token).user.getUser();
    expect(await other.ask(`GET /api/people/${id}`)).toMatchObject({ status: 422, body: { error: 'REASON_REQUIRED' } });
    expect(await open(other, randomUUID())).toMatchObject({ status: 404, body: { error: 'USER_NOT_FOUND' } });
  });

  it('has the person, account, balances, cards, payments with their events, entries, challenges with receipts, sessions and events', async () => {
    await open();
    expect(await read('')).toMatchObject({
      user: { id: userId, email: person.email, partnerId: 'florin', wallets: [{ address: person.wallet.address, isPrimary: true }] },
      onboarding: { status: 'completed' },
      account: { status: 'active', balances: expect.arrayContaining([expect.objectContaining({ currency: 'EUR', decimals: 2 })]) },
    });
    expect((await read('/cards'))['cards']).toMatchObject([{ id: cardId, status: 'active', last4: expect.stringMatching(/^\d{4}$/) }]);
    expect((await read('/payments'))['payments']).toMatchObject([
      { id: paymentId, amount: { amount: '100', decimals: 2, currency: 'EUR' } },
    ]);
    const [transactionId, , , authorizationCode] = namesOfPayment;
    expect(await read(`/payments/${paymentId}`)).toMatchObject({
      transactionId,
      authorizationCode,
      retrievalReference: RETRIEVAL_REFERENCE,
      events: [{ type: 'authorization' }, { type: 'clearing' }],
    });
    expect((await read('/challenges'))['challenges']).toMatchObject([{ id: challengeId, decision: 'approve' }]);
    expect(await read(`/challenges/${challengeId}`)).toMatchObject({
      receipt: { decision: 'approve', signer: person.wallet.address, signerType: 'wallet', signature: expect.stringMatching(/^0x/) },
    });
    expect((await read('/sessions'))['sessions']).not.toHaveLength(0);
    expect((await read('/deposits'))['deposits']).toMatchObject([{ token: 'EURe', status: 'approved' }]);
    expect((await read('/withdrawals'))['withdrawals']).toMatchObject([{ token: 'EURe' }]);
    const { entries } = await read('/entries');
    expect(entries).toContainEqual(
      expect.objectContaining({ transfers: [expect.objectContaining({ token: 'EURe', decimals: 18, currency: 'EUR' })] }),
    );
    await expect
      .poll(async () => ((await read('/events'))['events'] as { type: string }[]).map(({ type }) => type), {
        timeout: 20_000,
        interval: 100,
      })
      .toEqual(expect.arrayContaining(['user.registered', 'card.issued', 'payment.cleared']));
  });

  it('has nothing of another person, and never a card number', async () => {
    const stranger = await registerPerson(platform.api);
    const { id } = await platform.api.as(stranger.token).user.getUser();
    await open(support, id);
    for (const path of [`payments/${paymentId}`, `challenges/${challengeId}`]) {
      expect(await support.ask(`GET /api/people/${id}/${path}`)).toMatchObject({ status: 404 });
    }
    expect(await support.ask(`GET /api/people/${id}/payments/x`)).toMatchObject({ status: 422 });
    expect((await support.ask(`GET /api/people/${id}/cards`)).body).toEqual({ cards: [] });
    await open();
    const all = await Promise.all(['', '/cards', '/payments', `/payments/${paymentId}`, '/challenges', '/entries'].map(read));
    expect(JSON.stringify(all)).not.toMatch(/\b\d{16}\b/);
  });

  it('leaves each read in the audit log, with its reason, and no personal data', async () => {
    await open();
    const admin = await office.operator('admin');
    const { headers } = await support.ask(`GET /api/people/${userId}/payments/${paymentId}`);
    await search('reference', RETRIEVAL_REFERENCE);
    await search('email', person.email);
    const calls: AuditCall[] = [];
    for (let before = ''; ; ) {
      const { body } = await admin.ask(`GET /api/audit?operatorId=${support.id}${before}`);
      const page = body as AuditCalls;
      calls.push(...page.calls);
      if (page.nextBefore === undefined) break;
      before = `&before=${page.nextBefore}`;
    }
    expect(calls).toContainEqual(
      expect.objectContaining({
        operation: 'people.payment',
        reason: REASON,
        requestId: headers.get('x-request-id'),
        subjects: { user_id: userId, payment_id: paymentId },
        outcome: { code: 'OK', at: expect.any(String) },
      }),
    );
    expect(calls[0]).toMatchObject({ operation: 'people.search.email', reason: REASON });
    expect(calls[1]).toMatchObject({ operation: 'people.search.reference', reason: REASON });
    for (const looked of [person.email, RETRIEVAL_REFERENCE]) expect(JSON.stringify(calls)).not.toContain(looked);
    const ofPerson = await admin.ask(`GET /api/audit?userId=${userId}`);
    expect(ofPerson.body['calls']).toContainEqual(
      expect.objectContaining({ operation: 'people.access', outcome: { code: 'OK', at: expect.any(String) } }),
    );
  });
});

describe('a caller', () => {
  const act = (operator: Operator, path: string, body: object = {}, key: string = randomUUID()) =>
    operator.ask(`POST /api/people/${userId}/${path}`, { headers: { 'idempotency-key': key }, body: { reason: REASON, ...body } });
  const summary = async () => (await read('/summary')) as unknown as Summary;
  let disputeId: string;

  beforeAll(async () => {
    const { body } = await platform.api.request('POST', `/cards/transactions/${paymentId}/dispute`, {
      token: person.token,
      body: { reason: 'not_received' },
    });
    disputeId = (body as { id: string }).id;
    await open();
  });

  it('is answered from one summary: what is held and until when, disputes, and what happened', async () => {
    const pending = await network.payment(cardId).authorize(250);
    await act(support, `cards/${cardId}/freeze`);
    await act(support, `cards/${cardId}/unfreeze`);
    const declined = await network.payment(cardId).authorize(100_000_000);
    const { holds, disputes, timeline, unavailable } = await summary();
    expect(unavailable).toEqual([]);
    expect(holds).toMatchObject([{ paymentId: pending.paymentId, held: { amount: '250', decimals: 2, currency: 'EUR' } }]);
    expect(Date.parse(holds[0]?.expiresAt ?? '')).toBeGreaterThan(Date.now());
    const disputed = { id: disputeId, paymentId, status: 'submitted', stage: 'opened', reason: 'not_received', amount: '100', decimals: 2 };
    expect(disputes).toMatchObject([disputed]);
    const times = timeline.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(timeline.filter(({ kind }) => kind === 'card')).toMatchObject([
      { kind: 'card', id: cardId, status: 'unfreeze', by: 'Olga Operator' },
      { kind: 'card', id: cardId, status: 'freeze' },
    ]);
    const ofKinds = new Set(timeline.map(({ kind }) => kind));
    expect(ofKinds).toEqual(new Set(['payment', 'dispute', 'challenge', 'deposit', 'withdrawal', 'card', 'session']));
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'payment', id: paymentId, amount: expect.objectContaining({ amount: '-100' }) }),
    );
    const decline = 'transaction_limit_exceeded';
    expect(timeline).toContainEqual(expect.objectContaining({ id: declined.paymentId, status: 'declined', decline }));
    expect((await read('/payments'))['payments']).toContainEqual(
      expect.objectContaining({ id: paymentId, dispute: expect.objectContaining({ id: disputeId }) }),
    );
  });

  it('has a dispute taken through its stages to its outcome, each step once, by those who decide disputes', async () => {
    const compliance = await office.operator('compliance');
    const deadline = new Date(Date.now() + 86_400_000).toISOString();
    const path = `payments/${paymentId}/disputes/${disputeId}/advance`;
    const key = randomUUID();
    for (const _repeat of [1, 2]) {
      const step = { stage: 'chargeback', deadline, networkCaseId: 'VCR-1' };
      expect(await act(compliance, path, step, key)).toMatchObject({ status: 200, body: { status: 'chargeback' } });
    }
    expect((await summary()).disputes).toMatchObject([{ id: disputeId, stage: 'chargeback', deadline }]);
    const { body } = await compliance.ask('GET /api/queues/disputes');
    expect((body as unknown as QueueItems).items).toMatchObject([{ id: paymentId, userId, kind: 'chargeback', dueAt: deadline }]);
    expect((await act(support, path, { stage: 'lost' })).status).toBe(403);
    // An outcome that credits the account is the network's to report.
    for (const stage of ['opened', 'won'])
      expect(await act(compliance, path, { stage })).toMatchObject({ status: 422, body: { message: expect.stringContaining('stage') } });
    expect(await act(compliance, path, { stage: 'representment', amount: '101' })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('amount') },
    });
    expect((await act(compliance, `payments/${paymentId}/disputes/${randomUUID()}/advance`, { stage: 'lost' })).status).toBe(409);
    expect((await act(compliance, `payments/${randomUUID()}/disputes/${disputeId}/advance`, { stage: 'lost' })).status).toBe(404);
    expect(await act(compliance, path, { stage: 'lost' })).toMatchObject({ status: 200, body: { status: 'lost' } });
    expect(await act(compliance, path, { stage: 'withdrawn' })).toMatchObject({ status: 409, body: { error: 'DISPUTE_NOT_AVAILABLE' } });
    const { disputes } = (await read(`/payments/${paymentId}`)) as unknown as PaymentDetail;
    expect(disputes).toMatchObject([{ id: disputeId, status: 'lost', credited: '0', networkCaseId: 'VCR-1' }]);
    expect(disputes[0]?.steps.map(({ stage, by, note }) => [stage, by, note]).slice(1)).toEqual([
      ['chargeback', 'Olga Operator', REASON],
      ['lost', 'Olga Operator', REASON],
    ]);
    const other = await registerPerson(platform.api);
    const { id } = await platform.api.as(other.token).user.getUser();
    const ofOther = await compliance.ask(`POST /api/people/${id}/${path}`, {
      ...{ headers: { 'idempotency-key': randomUUID() }, body: { reason: REASON, stage: 'lost' } },
    });
    expect([ofOther.status, ofOther.body['error']]).toEqual([404, 'PAYMENT_NOT_FOUND']);
  });

  it('has a session ended, and no session of another person', async () => {
    const signedIn = await registerPerson(platform.api);
    const { id } = await platform.api.as(signedIn.token).user.getUser();
    await open(support, id);
    const listed = await support.ask(`GET /api/people/${id}/sessions`);
    const [session] = (listed.body as { sessions: { id: string }[] }).sessions;
    expect(await act(support, `sessions/${session?.id}/end`)).toMatchObject({ status: 404 });
    const finance = await office.operator('finance');
    const end = (operator: Operator, key: string) =>
      operator.ask(`POST /api/people/${id}/sessions/${session?.id}/end`, { headers: { 'idempotency-key': key }, body: { reason: REASON } });
    expect((await end(finance, randomUUID())).status).toBe(403);
    const key = randomUUID();
    for (const _repeat of [1, 2]) expect(await end(support, key)).toMatchObject({ status: 200, body: { status: 'ended' } });
    const gone = async () => (await platform.api.request('GET', '/user', { token: signedIn.token })).status;
    await expect.poll(gone, { timeout: 20_000, interval: 100 }).toBe(401);
    expect((await support.ask(`GET /api/people/${id}/sessions`)).body).toMatchObject({ sessions: [] });
  });
});
