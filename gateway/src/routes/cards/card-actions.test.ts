import { CardActor, CardColour, CardStatus } from '@florin/proto/card/v1/card';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARD_ID } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const asUser = (target: string, body?: unknown) => gateway.ask(target, { token: gateway.userToken, body });
const callOf = (rpc: string) => gateway.fakes.calls.find((call) => call.rpc === rpc);
const fail = (rpc: string, code: ErrorCode) =>
  gateway.fakes.stub(rpc, () => {
    throw new CodedError(code);
  });

const ACTIONS = [
  ['freeze', 'freezeCard', { status: 'frozen', frozenBy: 'cardholder' }],
  ['unfreeze', 'unfreezeCard', { status: 'active' }],
  ['lost', 'reportCardLost', { status: 'lost' }],
  ['stolen', 'reportCardStolen', { status: 'stolen' }],
  ['cancel', 'cancelCard', { status: 'cancelled' }],
  ['replace', 'replaceCard', { replacementFor: CARD_ID }],
  ['renew', 'renewCard', { expYear: 2034 }],
] as const;

describe('POST /cards/{cardId}/<action>', () => {
  it.each(ACTIONS)('%s calls %s with the key of the request and returns the card', async (action, rpc, expected) => {
    expect(await asUser(`POST /cards/${CARD_ID}/${action}`)).toMatchObject({ status: 200, body: expected });
    expect(callOf(rpc)).toMatchObject({
      token: gateway.userToken,
      request: { cardId: CARD_ID, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), actor: '', reason: '' },
    });
  });

  it.each(ACTIONS)('%s maps the codes of %s', async (action, rpc) => {
    for (const [code, status] of [['CARD_NOT_FOUND', 404] as const, ['CARD_STATE_CONFLICT', 409] as const]) {
      fail(rpc, code);
      expect(await asUser(`POST /cards/${CARD_ID}/${action}`)).toMatchObject({ status, body: { success: false, error: code } });
    }
    expect(await asUser(`POST /cards/x/${action}`)).toMatchObject({ status: 422 });
  });

  it('unfreeze passes the approval on, and says what is wrong with it', async () => {
    await asUser(`POST /cards/${CARD_ID}/unfreeze?approval=0xabcd`);
    expect(callOf('unfreezeCard')?.request).toMatchObject({ cardId: CARD_ID, approval: '0xabcd' });
    for (const approval of ['', '0xabc', 'abcd'])
      expect(await asUser(`POST /cards/${CARD_ID}/unfreeze?approval=${approval}`)).toMatchObject({ status: 422 });
    for (const [code, status] of [
      ['APPROVAL_REQUIRED', 403],
      ['INVALID_APPROVAL', 400],
      ['WALLET_COOLING', 403],
      ['NONCE_EXPIRED', 400],
      ['NONCE_USED', 400],
    ] as const) {
      fail('unfreezeCard', code);
      expect(await asUser(`POST /cards/${CARD_ID}/unfreeze`)).toMatchObject({ status, body: { success: false, error: code } });
    }
  });

  it.each([
    ['unfreeze', 'unfreezeCard', 'FROZEN_BY_ISSUER', 403],
    ['replace', 'replaceCard', 'ACCOUNT_NOT_ACTIVE', 403],
    ['replace', 'replaceCard', 'CARD_LIMIT_REACHED', 409],
    ['renew', 'renewCard', 'CARD_ISSUING_FAILED', 502],
  ] as const)('%s maps %s failing with %s to %i', async (action, rpc, code, status) => {
    fail(rpc, code);
    expect(await asUser(`POST /cards/${CARD_ID}/${action}`)).toMatchObject({ status, body: { success: false, error: code } });
  });
});

describe('/cards/{cardId}', () => {
  it('returns a card with the fields that it has', async () => {
    const { status, body } = await asUser(`GET /cards/${CARD_ID}`);
    expect(status).toBe(200);
    for (const absent of ['statusReason', 'frozenBy', 'replacementFor', 'replacedBy', 'history']) expect(body).not.toHaveProperty(absent);
    gateway.fakes.stub('getCard', () => ({
      card: {
        id: CARD_ID,
        name: 'Groceries',
        last4: '4242',
        expMonth: 1,
        expYear: 2030,
        network: 'visa',
        status: CardStatus.FROZEN,
        statusReason: 'suspected fraud',
        frozenBy: CardActor.ISSUER,
        createdAt: { seconds: 0n, nanos: 0 },
      },
    }));
    expect((await asUser(`GET /cards/${CARD_ID}`)).body).toMatchObject({
      status: 'frozen',
      statusReason: 'suspected fraud',
      frozenBy: 'issuer',
    });
    fail('getCard', 'CARD_NOT_FOUND');
    expect(await asUser(`GET /cards/${CARD_ID}`)).toMatchObject({ status: 404, body: { error: 'CARD_NOT_FOUND' } });
  });

  it('renames a card and rejects an invalid name', async () => {
    expect(await asUser(`PATCH /cards/${CARD_ID}`, { name: 'Holidays' })).toMatchObject({ status: 200, body: { name: 'Holidays' } });
    expect(callOf('renameCard')?.request).toMatchObject({ cardId: CARD_ID, name: 'Holidays' });
    gateway.fakes.reset();
    expect(await asUser(`PATCH /cards/${CARD_ID}`, { colour: 'blue' })).toMatchObject({ status: 200, body: { colour: 'blue' } });
    expect(callOf('renameCard')?.request).toMatchObject({ cardId: CARD_ID, name: '', colour: CardColour.BLUE });
    for (const body of [{}, { colour: 'pink' }]) expect(await asUser(`PATCH /cards/${CARD_ID}`, body)).toMatchObject({ status: 422 });
    for (const name of ['', 'x'.repeat(27), 5]) expect(await asUser(`PATCH /cards/${CARD_ID}`, { name })).toMatchObject({ status: 422 });
  });
});
