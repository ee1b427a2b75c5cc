import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../../support/expect-answer.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { createCard, newPhone, readCode, registerPerson, wrongCode } from '../../support/story.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

const order = (token: string, body: object, headers: Record<string, string> = {}) =>
  platform.api.request('POST', '/cards/virtual', { token, body, headers });
const cardsOf = async (token: string, query = '') =>
  (await platform.api.call<{ data: Record<string, unknown>[] }>('GET', `/cards${query}`, { token })).data;
const setPhone = (token: string, body: object) => platform.api.request('PATCH', '/phone', { token, body });
const phoneOf = async (token: string) => (await platform.api.as(token).user.getUser()).phone;

describe('POST /cards/virtual', () => {
  it('returns PHONE_REQUIRED for the first card without a phone number and stores nothing', async () => {
    const { token } = await registerPerson(platform.api);
    expectCode(await order(token, { cardName: 'Everyday' }), 422, 'PHONE_REQUIRED');
    expect(await cardsOf(token)).toEqual([]);
    expectCode(await setPhone(token, { phone: newPhone() }), 404, 'CARDHOLDER_NOT_FOUND');
  });

  it('issues the first card with a phone number and the next one without', async () => {
    const { token } = await registerPerson(platform.api);
    const phone = newPhone();
    const first = await createCard(platform.api, token, { cardName: 'Everyday', phone });
    const second = await createCard(platform.api, token, { cardName: 'Travel' });
    expect(await phoneOf(token)).toBe(phone);
    const cards = await cardsOf(token);
    expect(cards.map(({ id, name }) => [id, name])).toEqual([
      [second, 'Travel'],
      [first, 'Everyday'],
    ]);
    expect(cards[0]).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/), virtual: true, status: 'active', network: 'visa' });
    expect(JSON.stringify(cards)).not.toMatch(/\d{13,19}/);
    expect(await cardsOf(token, '?status=frozen')).toEqual([]);
    expect(await cardsOf(token, '?status=active')).toHaveLength(2);
  });

  it('counts user-perceived characters in a name', async () => {
    const { token } = await registerPerson(platform.api);
    const name = '💳'.repeat(26);
    expect((await order(token, { cardName: name, phone: newPhone() })).status).toBe(200);
    expect((await cardsOf(token)).map((card) => card['name'])).toEqual([name]);
    expectValidation(await order(token, { cardName: `${name}x` }), 'cardName');
  });

  it('lists cards in pages', async () => {
    const { token } = await registerPerson(platform.api);
    const ids = [await createCard(platform.api, token), await createCard(platform.api, token), await createCard(platform.api, token)];
    const first = await platform.api.as(token).cards.listCards({ limit: 2 });
    expect(first.pagination).toEqual({ nextCursor: expect.any(String), hasNext: true });
    const second = await platform.api.as(token).cards.listCards({ limit: 2, cursor: first.pagination.nextCursor ?? '' });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.pagination).toEqual({ nextCursor: null, hasNext: false });
    expectValidation(await platform.api.request('GET', '/cards?limit=0', { token }), 'limit');
  });

  it('issues five cards for six concurrent requests (CARD_LIMIT_REACHED)', async () => {
    const { token } = await registerPerson(platform.api);
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => order(token, { cardName: `Card ${index}`, phone })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expectCode(answers.find(({ status }) => status !== 200) ?? expect.fail('six cards'), 409, 'CARD_LIMIT_REACHED');
    expect(await cardsOf(token)).toHaveLength(5);
  });

  it('creates one cardholder for two concurrent first cards', async () => {
    const { token } = await registerPerson(platform.api);
    const phones = [newPhone(), newPhone()];
    const answers = await Promise.all(phones.map((phone) => order(token, { cardName: 'First', phone })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(phones).toContain(await phoneOf(token));
    expect(await cardsOf(token)).toHaveLength(2);
  });

  it('issues one card per Idempotency-Key, also for concurrent requests', async () => {
    const { token } = await registerPerson(platform.api);
    const body = { cardName: 'Once', phone: newPhone() };
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([order(token, body, headers), order(token, body, headers)]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const replay = await order(token, body, headers);
    expect(replay.status).toBe(200);
    expect(await cardsOf(token)).toHaveLength(1);
    expectCode(await order(token, { ...body, cardName: 'Other' }, headers), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('judges a rejected order again under the same Idempotency-Key, also with the phone number added', async () => {
    const { token } = await registerPerson(platform.api);
    const headers = { 'idempotency-key': randomUUID() };
    expectCode(await order(token, { cardName: 'Everyday' }, headers), 422, 'PHONE_REQUIRED');
    const corrected = { cardName: 'Everyday', phone: newPhone() };
    const issued = await order(token, corrected, headers);
    expect(issued.status).toBe(200);
    expect((await order(token, corrected, headers)).body).toEqual(issued.body);
    expect(await cardsOf(token)).toHaveLength(1);
  });

  it('rejects invalid requests', async () => {
    const { token } = await registerPerson(platform.api);
    const phone = newPhone();
    expectValidation(await order(token, { cardName: '', phone }), 'cardName');
    expectValidation(await order(token, { cardName: 'x'.repeat(27), phone }), 'cardName');
    expectValidation(await order(token, { cardName: 'a\u0007b', phone }), 'cardName');
    expectValidation(await order(token, { cardName: 'Everyday', phone: '0151 123' }), 'phone');
    expectValidation(await order(token, { phone }), 'cardName');
    expectCode(await platform.api.request('POST', '/cards/virtual', { body: { cardName: 'Everyday', phone } }), 401, 'UNAUTHORIZED');
    expectValidation(await platform.api.request('GET', '/cards?status=melted', { token }), 'status');
    expect(await cardsOf(token)).toEqual([]);
  });
});

describe('PATCH /phone', () => {
  it('changes the phone number of an existing cardholder', async () => {
    const { token } = await registerPerson(platform.api);
    await createCard(platform.api, token);
    const phone = newPhone();
    expect(await setPhone(token, { phone })).toMatchObject({ status: 200, body: { success: true } });
    expect(await phoneOf(token)).toBe(phone);
  });

  it('accepts a code from POST /phone/verification once', async () => {
    const { token } = await registerPerson(platform.api);
    await createCard(platform.api, token);
    const phone = newPhone();
    await platform.api.as(token).phone.sendPhoneCode({ phone });
    const code = await readCode(platform.api, phone);
    expectCode(await setPhone(token, { code: wrongCode(code) }), 400, 'INVALID_CODE');
    expect((await setPhone(token, { code })).status).toBe(200);
    expect(await phoneOf(token)).toBe(phone);
    expectCode(await setPhone(token, { code }), 400, 'INVALID_CODE');
  });

  it('returns CODE_ATTEMPTS_EXCEEDED for the right code after five wrong ones', async () => {
    const { token } = await registerPerson(platform.api);
    await createCard(platform.api, token);
    const phone = newPhone();
    await platform.api.as(token).phone.sendPhoneCode({ phone });
    const code = await readCode(platform.api, phone);
    for (let attempt = 0; attempt < 5; attempt += 1) expectCode(await setPhone(token, { code: wrongCode(code) }), 400, 'INVALID_CODE');
    expectCode(await setPhone(token, { code }), 400, 'CODE_ATTEMPTS_EXCEEDED');
  });

  it('returns RESEND_TOO_SOON for a second SMS to a number within 30 seconds, and sends to a corrected number', async () => {
    const { token } = await registerPerson(platform.api);
    const phone = newPhone();
    await platform.api.as(token).phone.sendPhoneCode({ phone });
    expectCode(await platform.api.request('POST', '/phone/verification', { token, body: { phone } }), 429, 'RESEND_TOO_SOON');
    expect((await platform.api.request('POST', '/phone/verification', { token, body: { phone: newPhone() } })).status).toBe(200);
  });

  it('rejects requests with neither phone nor code', async () => {
    const { token } = await registerPerson(platform.api);
    await createCard(platform.api, token);
    expect((await setPhone(token, {})).body).toMatchObject({ kind: 'validation' });
    expectValidation(await setPhone(token, { phone: 'call me' }), 'phone');
    expectValidation(await platform.api.request('POST', '/phone/verification', { token, body: {} }), 'phone');
  });
});
