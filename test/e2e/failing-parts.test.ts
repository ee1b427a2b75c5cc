import { randomUUID } from 'node:crypto';
import type { CardOverrides } from '@florin/card';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, newPhone, PAYMENT, registerPerson, signIn } from '../support/story.ts';

/** Responses when a card, an account or a part of the platform does not work. */

type IssueCard = NonNullable<CardOverrides['processor']>['issueCard'];
type IssueResult = Awaited<ReturnType<IssueCard>>;

const issued = (expMonth: number, expYear: number): IssueResult => ({
  outcome: 'issued',
  face: { last4: '4242', expMonth, expYear, network: 'visa' },
});
const issue: IssueCard = async () => issued(12, 2099);
let processor: IssueCard = issue;

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess(
    {},
    {
      card: {
        processor: {
          issueCard: (...args) => processor(...args),
          renewCard: () => Promise.reject(new Error('not called')),
          reportState: async () => undefined,
          reportDispute: async () => undefined,
        },
      },
    },
  );
});
beforeEach(() => {
  processor = issue;
});
afterAll(() => platform?.close());

const order = (token: string, body: object, headers: Record<string, string> = {}) =>
  platform.api.request('POST', '/cards/virtual', { token, body, headers });

describe('a failing card processor', () => {
  it('leads to CARD_ISSUING_FAILED without a card, and the same request succeeds later', async () => {
    const { token } = await registerPerson(platform.api);
    const body = { cardName: 'Everyday', phone: newPhone() };
    const headers = { 'idempotency-key': randomUUID() };
    processor = () => Promise.reject(new Error('down'));
    expectCode(await order(token, body, headers), 502, 'CARD_ISSUING_FAILED');
    expect(await platform.api.as(token).cards.listCards()).toMatchObject({ data: [] });
    processor = issue;
    expect((await order(token, body, headers)).status).toBe(200);
    expect((await platform.api.as(token).cards.listCards()).data).toHaveLength(1);
  });

  it('leads to IDEMPOTENCY_IN_PROGRESS while the first request with a key is being processed', async () => {
    const { token } = await registerPerson(platform.api);
    const body = { cardName: 'Everyday', phone: newPhone() };
    const headers = { 'idempotency-key': randomUUID() };
    let answer: (result: IssueResult) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      processor = () => {
        resolve();
        return new Promise((answerLater) => {
          answer = answerLater;
        });
      };
    });
    const first = order(token, body, headers);
    await asked;
    expectCode(await order(token, body, headers), 409, 'IDEMPOTENCY_IN_PROGRESS');
    answer(issued(12, 2099));
    expect((await first).status).toBe(200);
    expect((await order(token, body, headers)).headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('an expired card', () => {
  it('does not accept a challenge (CARD_NOT_ACTIVE)', async () => {
    const { wallet, token } = await registerPerson(platform.api);
    const today = platform.clock.now();
    processor = async () => issued(today.getUTCMonth() + 1, today.getUTCFullYear());
    const cardId = await createCard(platform.api, token);
    platform.clock.advanceSeconds(40 * 24 * 3600);
    const { accessToken } = await signIn(platform.api, wallet);
    const raise = await platform.api.request('POST', '/sandbox/3ds/challenges', { token: accessToken, body: { cardId, ...PAYMENT } });
    expectCode(raise, 409, 'CARD_NOT_ACTIVE');
    expect(await platform.api.as(accessToken).cards.listCards({ status: 'expired' })).toMatchObject({ data: [{ id: cardId }] });
  });
});

describe('a closed account', () => {
  it('accepts no deposits, withdrawals or cards', async () => {
    const { token } = await registerPerson(platform.api);
    const { id } = await platform.api.as(token).userAccount.getAccount();
    const channel = createRpcChannel({
      baseUrl: platform.services.ledger.url,
      serviceToken: createServiceTokenSource({
        key: serviceKeySchema.parse(platform.operatorKey),
        audience: 'ledger',
        scopes: [LEDGER_SCOPES.writeAccounts],
      }),
    });
    await channel.client(AccountService).closeAccount({ accountId: id });
    await channel.close();

    expect(await platform.api.as(token).userAccount.getAccount()).toMatchObject({
      status: 'closed',
      closedAt: expect.stringMatching(/Z$/),
    });
    const money = { token: 'EURe', amount: '1' };
    expectCode(await platform.api.request('POST', '/sandbox/deposits', { token, body: money }), 409, 'ACCOUNT_CLOSED');
    expectCode(await platform.api.request('POST', '/sandbox/withdrawals', { token, body: money }), 403, 'ACCOUNT_NOT_ACTIVE');
    expectCode(await order(token, { cardName: 'Late', phone: newPhone() }), 403, 'ACCOUNT_NOT_ACTIVE');
    expect(await platform.api.as(token).userMovements.listDeposits()).toMatchObject({ data: [] });
  });
});

// Last, because the ledger is not started again in this file.
describe('a stopped service', () => {
  it('leads to SERVICE_UNAVAILABLE where it is needed, and the readiness check names it', async () => {
    const { token } = await registerPerson(platform.api);
    await platform.services.ledger.close();
    expectCode(await platform.api.request('GET', '/user/balances/v2', { token }), 503, 'SERVICE_UNAVAILABLE');
    expectCode(await order(token, { cardName: 'Everyday', phone: newPhone() }), 503, 'SERVICE_UNAVAILABLE');
    expect((await platform.api.request('GET', '/user', { token })).status).toBe(200);
    const ready = await platform.api.request('GET', '/health/ready');
    expect([ready.status, ready.body]).toEqual([503, expect.objectContaining({ down: ['ledger'] })]);
    expect((await platform.api.request('GET', '/health/live')).status).toBe(200);
  });
});
