import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../../support/expect-answer.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { approve, createCard, issueTypedData, PAYMENT, raiseChallenge, registerPerson, signTypedData } from '../../support/story.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

type Card = { id: string; status: string; last4: string; expYear: number; replacementFor?: string };

const personWithCard = async () => {
  const person = await registerPerson(platform.api);
  const { token } = person;
  const cardId = await createCard(platform.api, token);
  const request = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    platform.api.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) });
  const act = (action: string, id = cardId) => request('POST', `/cards/${id}/${action}`);
  const unfreeze = async () => {
    const approval = await approve(platform.api, person, { change: 'unfreeze', given: { cardId } });
    return request('POST', `/cards/${cardId}/unfreeze?approval=${approval}`);
  };
  const card = async (id = cardId) => (await request('GET', `/cards/${id}`)).body as Card;
  return { person, token, cardId, request, act, unfreeze, card };
};

describe('a card', () => {
  it('is frozen and unfrozen, and raises no challenge while frozen', async () => {
    const { token, cardId, request, act, unfreeze, card } = await personWithCard();
    expect((await act('freeze')).body).toMatchObject({ id: cardId, status: 'frozen', frozenBy: 'cardholder' });
    expect((await act('freeze')).status).toBe(200);
    expect(await request('GET', '/cards?status=frozen')).toMatchObject({ body: { data: [{ id: cardId }] } });
    const raise = await platform.api.request('POST', '/sandbox/3ds/challenges', { token, body: { cardId, ...PAYMENT } });
    expectCode(raise, 409, 'CARD_NOT_ACTIVE');
    expectCode(await act('unfreeze'), 403, 'APPROVAL_REQUIRED');
    expect((await unfreeze()).body).toMatchObject({ status: 'active' });
    expect((await act('unfreeze')).body).toMatchObject({ status: 'active' });
    expect(await card()).not.toHaveProperty('frozenBy');
    await raiseChallenge(platform.api, token, cardId);
  });

  it('that is frozen after the challenge was raised cannot pay for it until it is unfrozen', async () => {
    const { person, token, cardId, request, act, unfreeze } = await personWithCard();
    const id = await raiseChallenge(platform.api, token, cardId);
    const signature = await signTypedData(person.wallet, await issueTypedData(platform.api, token, id, 'approve'));
    await act('freeze');
    const submit = () => request('POST', `/3ds/challenges/${id}/decision`, { decision: 'approve', signature });
    expectCode(await submit(), 409, 'CARD_NOT_ACTIVE');
    await unfreeze();
    expect((await submit()).body).toMatchObject({ challenge: { status: 'approved' } });
  });

  it('that is lost is replaced by one card with another number', async () => {
    const { cardId, act, card, request } = await personWithCard();
    expectCode(await act('replace'), 409, 'CARD_STATE_CONFLICT');
    expect((await act('lost')).body).toMatchObject({ status: 'lost' });
    expectCode(await act('unfreeze'), 409, 'CARD_STATE_CONFLICT');
    expectCode(await act('stolen'), 409, 'CARD_STATE_CONFLICT');
    const replacements = await Promise.all([act('replace'), act('replace'), act('replace')]);
    const [first] = replacements.map(({ body }) => body as Card);
    for (const { body } of replacements) expect((body as Card).id).toBe(first?.id);
    expect(first).toMatchObject({ status: 'active', replacementFor: cardId });
    expect(await card()).toMatchObject({ status: 'lost', replacedBy: first?.id });
    expect(((await request('GET', '/cards')).body as { data: Card[] }).data).toHaveLength(2);
  });

  it('is renewed with the same number and renamed', async () => {
    const { cardId, act, card, request } = await personWithCard();
    const before = await card();
    expect((await act('renew')).body).toMatchObject({ id: cardId, last4: before.last4, expYear: before.expYear + 4 });
    expectCode(await act('renew'), 409, 'CARD_STATE_CONFLICT');
    expect((await request('PATCH', `/cards/${cardId}`, { name: 'Holidays' })).body).toMatchObject({ name: 'Holidays' });
    expectValidation(await request('PATCH', `/cards/${cardId}`, { name: 'a\nb' }), 'name');
  });

  it('is changed once per Idempotency-Key', async () => {
    const { cardId, request, unfreeze, card } = await personWithCard();
    const headers = { 'idempotency-key': randomUUID() };
    await request('POST', `/cards/${cardId}/freeze`, undefined, headers);
    await unfreeze();
    const again = await request('POST', `/cards/${cardId}/freeze`, undefined, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await card()).toMatchObject({ status: 'active' });
  });

  it('of another person does not exist', async () => {
    const { cardId } = await personWithCard();
    const stranger = await personWithCard();
    expectCode(await stranger.request('GET', `/cards/${cardId}`), 404, 'CARD_NOT_FOUND');
    for (const action of ['freeze', 'unfreeze', 'lost', 'stolen', 'cancel', 'replace', 'renew']) {
      expectCode(await stranger.act(action, cardId), 404, 'CARD_NOT_FOUND');
    }
    expectCode(await stranger.request('PATCH', `/cards/${cardId}`, { name: 'Mine' }), 404, 'CARD_NOT_FOUND');
  });
});
