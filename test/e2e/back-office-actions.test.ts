import { randomUUID } from 'node:crypto';
import type { Person as PersonFile } from '@florin/back-office/contract';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackOfficeInProcess, type Operator, startBackOffice } from '../support/back-office.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, type Person, registerPerson } from '../support/story.ts';

/** Enough on a machine with other work. */
const LONG_MS = 120_000;
const REASON = 'ordered by the compliance department';
const ONE = `1${'0'.repeat(18)}`;

let platform: PlatformInProcess;
let office: BackOfficeInProcess;
let channel: RpcChannel;
let compliance: Operator;
let person: Person;
let cardId: string;

beforeAll(async () => {
  platform = await startPlatformInProcess({ APPROVAL_ABOVE: JSON.stringify({ EURe: ONE }) });
  office = await startBackOffice(platform);
  const scopes = [LEDGER_SCOPES.writeAdjustments, LEDGER_SCOPES.readAdjustments, LEDGER_SCOPES.confirmSafes];
  const serviceToken = createServiceTokenSource({ key: serviceKeySchema.parse(platform.operatorKey), audience: 'ledger', scopes });
  channel = createRpcChannel({ baseUrl: platform.urls['LEDGER_URL'] ?? '', serviceToken });
  compliance = await office.operator('compliance');
}, LONG_MS);
afterAll(async () => {
  await channel?.close();
  await office?.close();
  await platform?.close();
});
beforeEach(async () => {
  person = await registerPerson(platform.api);
  cardId = await createCard(platform.api, person.token);
});

type Options = { key?: string; body?: object };

const act = (operator: Operator, path: string, { key = randomUUID(), body = {} }: Options = {}) =>
  operator.ask(`POST /api/${path}`, { headers: { 'idempotency-key': key }, body: { reason: REASON, ...body } });
const onPerson = (path: string, options?: Options) => act(compliance, `people/${person.userId}/${path}`, options);

describe('an action on a card', () => {
  const cardsShown = async () => {
    await compliance.ask(`POST /api/people/${person.userId}/access`, { body: { reason: REASON } });
    return (await compliance.ask(`GET /api/people/${person.userId}/cards`)).body['cards'] as Record<string, unknown>[];
  };

  it('freezes and unfreezes it for the issuer, and keeps the reason from the cardholder', async () => {
    expect(await onPerson(`cards/${cardId}/freeze`)).toMatchObject({
      status: 200,
      body: { status: 'frozen', actionId: expect.any(String) },
    });
    const shown = await platform.api.as(person.token).cards.listCards();
    expect(JSON.stringify(shown)).toMatch(/frozen/i);
    expect(JSON.stringify(shown)).not.toContain(REASON);
    expect(JSON.stringify(shown)).not.toContain(compliance.id);
    expect(await cardsShown()).toMatchObject([{ id: cardId, status: 'frozen', frozenBy: 'issuer', frozenByName: 'Olga Operator' }]);
    expect(await onPerson(`cards/${cardId}/unfreeze`)).toMatchObject({ status: 200, body: { status: 'active' } });
    await platform.api.call('POST', `/cards/${cardId}/freeze`, { token: person.token, body: {} });
    const [own] = await cardsShown();
    expect([own?.['frozenBy'], own?.['frozenByName']]).toEqual(['cardholder', undefined]);
  });

  it('is done once, also by repeats at the same time, and not again after it was undone', async () => {
    const key = randomUUID();
    const path = `cards/${cardId}/freeze`;
    const answers = await Promise.all([1, 2, 3].map(() => onPerson(path, { key })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body['actionId'])).size).toBe(1);
    await onPerson(`cards/${cardId}/unfreeze`);
    expect((await onPerson(path, { key })).body).toEqual(answers[0]?.body);
    expect(await onPerson(`cards/${cardId}/unfreeze`)).toMatchObject({ body: { status: 'active' } });
    expect(await onPerson(`cards/${cardId}/unfreeze`, { key })).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await onPerson(path, { key, body: { reason: 'a different reason for it' } })).toMatchObject({ status: 422 });
  });

  it('reports it lost or stolen for a caller, once and for good', async () => {
    for (const state of ['lost', 'stolen']) {
      const missed = await createCard(platform.api, person.token);
      const key = randomUUID();
      for (const _repeat of [1, 2]) {
        expect(await onPerson(`cards/${missed}/${state}`, { key })).toMatchObject({ status: 200, body: { status: state } });
      }
      expect(await onPerson(`cards/${missed}/unfreeze`)).toMatchObject({ status: 409, body: { error: 'CARD_STATE_CONFLICT' } });
    }
    const other = await registerPerson(platform.api);
    expect((await act(compliance, `people/${other.userId}/cards/${cardId}/lost`)).status).toBe(404);
  });

  it('follows from its limits and controls, which the file shows with what is used', async () => {
    await cardsShown();
    const rules = (await compliance.ask(`GET /api/people/${person.userId}/cards/${cardId}/rules`)).body;
    expect(rules).toMatchObject({
      limits: expect.arrayContaining([expect.objectContaining({ name: 'daily', used: expect.stringMatching(/^\d+$/), currency: 'EUR' })]),
      countries: { allow: [], deny: [] },
      off: [],
      isSingleUse: false,
    });
    const other = await registerPerson(platform.api);
    await compliance.ask(`POST /api/people/${other.userId}/access`, { body: { reason: REASON } });
    expect((await compliance.ask(`GET /api/people/${other.userId}/cards/${cardId}/rules`)).status).toBe(404);
  });

  it('of another person is refused, as is one without a key or reason', async () => {
    const other = await registerPerson(platform.api);
    const path = `people/${other.userId}/cards/${cardId}/freeze`;
    expect(await act(compliance, path)).toMatchObject({ status: 404, body: { error: 'CARD_NOT_FOUND' } });
    expect(await act(compliance, path, { key: '' })).toMatchObject({ status: 422 });
    expect(await onPerson(`cards/${cardId}/freeze`, { body: { reason: 'no' } })).toMatchObject({ status: 422 });
    expect(await onPerson('cards/x/freeze')).toMatchObject({ status: 422 });
    expect(await onPerson(`cards/${cardId}/unfreeze`)).toMatchObject({ body: { status: 'active' } });
  });

  it('is in the audit log before it is done, with its outcome', async () => {
    const admin = await office.operator('admin');
    const { body, headers } = await onPerson(`cards/${cardId}/freeze`);
    const { body: read } = await admin.ask(`GET /api/audit?userId=${person.userId}`);
    expect(read['calls']).toContainEqual(
      expect.objectContaining({
        operatorId: compliance.id,
        operation: 'cards.freeze',
        reason: REASON,
        requestId: headers.get('x-request-id'),
        subjects: { user_id: person.userId, card_id: cardId, action_id: body['actionId'] },
        outcome: { code: 'OK', at: expect.any(String) },
      }),
    );
  });
});

describe('a note on a person', () => {
  it('is kept once, with its writer, for who has opened the file', async () => {
    const key = randomUUID();
    for (const _repeat of [1, 2]) expect(await onPerson('notes', { key })).toMatchObject({ status: 200, body: { status: 'noted' } });
    await compliance.ask(`POST /api/people/${person.userId}/access`, { body: { reason: REASON } });
    const path = `GET /api/people/${person.userId}/notes`;
    expect((await compliance.ask(path)).body).toEqual({ notes: [{ at: expect.any(String), by: 'Olga Operator', text: REASON }] });
    const stranger = await office.operator('support');
    expect(await stranger.ask(path)).toMatchObject({ status: 422, body: { error: 'REASON_REQUIRED' } });
  });

  it('is deleted with the person by any process, and those on others stay', { timeout: LONG_MS }, async () => {
    const people = [person, await registerPerson(platform.api)] as const;
    for (const { userId } of people) {
      expect(await act(compliance, `people/${userId}/notes`)).toMatchObject({ status: 200 });
      await compliance.ask(`POST /api/people/${userId}/access`, { body: { reason: REASON } });
    }
    expect((await platform.api.request('DELETE', '/user', { token: person.token })).status).toBe(200);
    // Its first round is at once.
    const other = await startBackOffice(platform);
    try {
      const notesOn = async ({ userId }: Person) => (await compliance.ask(`GET /api/people/${userId}/notes`)).body['notes'];
      await expect.poll(() => notesOn(person), { timeout: LONG_MS }).toEqual([]);
      expect(await notesOn(people[1])).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('an action on an account', () => {
  it('blocks and unblocks it', async () => {
    expect(await onPerson('account/block')).toMatchObject({ status: 200, body: { status: 'blocked' } });
    expect(await onPerson('account/unblock')).toMatchObject({ status: 200, body: { status: 'active' } });
  });

  it('does not take an identity check back that was not approved', async () => {
    expect(await onPerson('kyc/take-back')).toMatchObject({ status: 409, body: { error: 'KYC_STATE_CONFLICT' } });
  });

  it('decides a deposit that screening has left pending, once', async () => {
    const { token, userId } = person;
    await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: ONE, kyt: 'hold' });
    await compliance.ask(`POST /api/people/${userId}/access`, { body: { reason: REASON } });
    const { body: read } = await compliance.ask(`GET /api/people/${userId}/deposits`);
    const [deposit] = read['deposits'] as { id: string; status: string }[];
    expect(deposit?.status).toBe('pending');
    const resolve = (outcome: string) => onPerson(`deposits/${deposit?.id}/resolve`, { body: { outcome } });
    expect(await resolve('rejected')).toMatchObject({ status: 200, body: { status: 'rejected' } });
    expect(await resolve('approved')).toMatchObject({ status: 409, body: { error: 'DEPOSIT_STATE_CONFLICT' } });
    for (const one of ['', `/${deposit?.id}`]) {
      const { body: decided } = await compliance.ask(`GET /api/people/${userId}/deposits${one}`);
      expect((decided['deposits'] as { resolvedBy?: string }[])[0]?.resolvedBy).toBe('Olga Operator');
    }
    const { body: booked } = await compliance.ask(`GET /api/people/${userId}/entries`);
    expect(booked['entries']).toContainEqual(
      expect.objectContaining({
        id: `deposit/${deposit?.id}/resolved`,
        actor: `operator:${compliance.id}`,
        reason: REASON,
        transfers: [expect.objectContaining({ credit: 'refused', amount: ONE })],
      }),
    );
    const other = await registerPerson(platform.api);
    const foreign = await act(compliance, `people/${other.userId}/deposits/${deposit?.id}/resolve`, { body: { outcome: 'rejected' } });
    expect(foreign).toMatchObject({ status: 404, body: { error: 'DEPOSIT_NOT_FOUND' } });
  });
});

describe('an order of another account', () => {
  it('opens it once two operators want it, and the file shows the former one with what is left there', { timeout: LONG_MS }, async () => {
    const { token, userId } = person;
    await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: ONE });
    const [first, second] = [await office.operator('finance'), await office.operator('finance')];
    const fileOf = async () => {
      await first.ask(`POST /api/people/${userId}/access`, { body: { reason: REASON } });
      return (await first.ask(`GET /api/people/${userId}`)).body as PersonFile;
    };
    const { id: formerId = '', safeAddress } = (await fileOf()).account ?? {};
    const base = `people/${userId}/replacements`;
    expect(await act(first, base)).toMatchObject({ status: 409, body: { error: 'ACCOUNT_NOT_REPLACEABLE' } });
    // As chain does when it has seen what the Safe has executed.
    await channel.client(AccountService).revokeSafe({ accountId: formerId, historyDiffers: true });

    const ordered = await act(first, base);
    expect(ordered).toMatchObject({ status: 200, body: { status: 'pending' } });
    const decide = (operator: Operator) => act(operator, `${base}/${ordered.body['actionId']}/approve`);
    expect((await decide(first)).body).toMatchObject({ error: 'SELF_APPROVAL' });
    for (let repeat = 0; repeat < 2; repeat += 1) expect(await decide(second)).toMatchObject({ body: { status: 'resolved' } });
    const { account, formerAccounts, replacementOrders } = await fileOf();
    expect(account?.id).not.toBe(formerId);
    expect(formerAccounts).toMatchObject([{ id: formerId, safeAddress, status: 'blocked' }]);
    expect(formerAccounts[0]?.balances).toContainEqual({ currency: 'EUR', decimals: 2, left: '100', debt: '0' });
    expect(replacementOrders).toMatchObject([{ id: ordered.body['actionId'], status: 'resolved', reason: REASON }]);
    const { body } = await first.ask(`GET /api/people/${userId}/deposits`);
    const [deposit] = body['deposits'] as { id: string }[];
    expect(await first.ask(`GET /api/people/${userId}/deposits/${deposit?.id}`)).toMatchObject({ status: 200 });
  });
});

describe('an order that moves money', () => {
  /** More than the ledger books without a second actor. */
  const order = async (actor: string): Promise<string> => {
    const adjustmentId = randomUUID();
    const { accountId = '' } = await accountOf();
    const transfers = [{ debit: 'settlement', credit: accountId, token: 'EURe', amount: `1${'0'.repeat(24)}` }];
    const change = { case: 'transfers' as const, value: { transfers } };
    await channel.client(AdjustmentService).createAdjustment({ adjustmentId, change, metadata: { actor, reason: REASON } });
    return adjustmentId;
  };
  const accountOf = async (): Promise<{ accountId: string }> => {
    await compliance.ask(`POST /api/people/${person.userId}/access`, { body: { reason: REASON } });
    const { body } = await compliance.ask(`GET /api/people/${person.userId}`);
    return { accountId: (body['account'] as { id: string }).id };
  };

  it('is approved by another operator than the one who ordered it, once', async () => {
    const [first, second] = [await office.operator('finance'), await office.operator('finance')];
    const adjustmentId = await order(`operator:${first.id}`);
    const { body } = await second.ask('GET /api/adjustments?status=pending');
    const owner = { ...(await accountOf()), userId: person.userId, email: expect.stringMatching(/^.•••@/) };
    expect(body['owners']).toContainEqual(owner);
    expect(body['adjustments']).toContainEqual(
      expect.objectContaining({
        id: adjustmentId,
        status: 'pending',
        needsApproval: true,
        actorName: 'Olga Operator',
        reason: REASON,
        transfers: [expect.objectContaining({ debit: 'settlement', token: 'EURe', decimals: 18, currency: 'EUR' })],
      }),
    );
    const approve = (operator: Operator) => act(operator, `adjustments/${adjustmentId}/approve`);
    expect((await approve(first)).body).toMatchObject({ error: 'SELF_APPROVAL' });
    const third = await office.operator('finance');
    const outcomes = await Promise.all([approve(second), approve(third)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(outcomes.find(({ status }) => status === 200)?.body).toMatchObject({ status: 'booked' });
  });

  it('is rejected, and then not approved', async () => {
    const finance = await office.operator('finance');
    const adjustmentId = await order('operator:somebody');
    expect((await act(finance, `adjustments/${adjustmentId}/reject`)).body).toMatchObject({ status: 'rejected' });
    expect((await act(finance, `adjustments/${adjustmentId}/approve`)).body).toMatchObject({ error: 'ADJUSTMENT_STATE_CONFLICT' });
  });

  it('needs a fresh confirmation by passkey', async () => {
    const finance = await office.operator('finance');
    const adjustmentId = await order('operator:somebody');
    platform.clock.advanceSeconds(301);
    const approve = () => act(finance, `adjustments/${adjustmentId}/approve`);
    expect((await approve()).body).toMatchObject({ error: 'REAUTHENTICATION_REQUIRED' });
    expect((await finance.confirm()).status).toBe(200);
    expect((await approve()).body).toMatchObject({ status: 'booked' });
  });
});
