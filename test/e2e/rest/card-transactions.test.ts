import type { Input } from '@florin/client';
import { recoverTypedDataAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReceipt } from '../../../services/threeds/src/receipts/check-receipt.ts';
import { expectCode, expectValidation } from '../../support/expect-answer.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { approve, createCard, decide, type Person, raiseChallenge, registerPerson } from '../../support/story.ts';

let platform: Platform;
let person: Person;
let cardId: string;

const MERCHANT = { id: 'M-1', name: 'Kiosk', country: 'FR', categoryCode: '5994' };
const EMPTY = { status: 422, body: { error: { message: expect.stringContaining('must have at least one field') } } };
const client = () => platform.api.as(person.token);
const ask = (method: string, path: string, body?: object) =>
  platform.api.request(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });

const pay = (amount: string, more: Partial<Input<'sandbox.createPayment'>> = {}) =>
  client().sandbox.createPayment({ cardId, amount, currency: 'EUR', merchant: MERCHANT, ...more });
/** Sets limits or controls with the approval of the person's wallet, as what they let through needs. */
const limit = async (given: Input<'cards.updateCardLimits'>) =>
  client().cards.updateCardLimits({ ...given, approval: await approve(platform.api, person, { change: 'limits', given }) });
const control = async (given: Input<'cards.setCardControls'>) =>
  client().cards.setCardControls({ ...given, approval: await approve(platform.api, person, { change: 'controls', given }) });
const list = async (query: Input<'cards.listCardTransactions'> = {}) => (await client().cards.listCardTransactions(query)).data;

beforeAll(async () => {
  platform = await openPlatform();
  person = await registerPerson(platform.api);
  cardId = await createCard(platform.api, person.token);
  await client().sandbox.createDeposit({ token: 'EURe', amount: `${1000n * 10n ** 18n}` });
});
afterAll(() => platform?.close());

describe('card transactions', () => {
  it('are listed newest first, with filters and pages', async () => {
    const paid = await pay('1000', { capture: true });
    const held = await pay('2000');
    const cash = await pay('3000', { atm: true, merchant: { ...MERCHANT, categoryCode: '6011' } });
    const ids = [cash, held, paid].map(({ transactionId }) => transactionId);
    expect((await list()).map(({ id }) => id)).toEqual(ids);
    expect((await list({ status: 'pending' })).map(({ id }) => id)).toEqual([held.transactionId]);
    expect((await list({ kind: 'atm' })).map(({ id }) => id)).toEqual([cash.transactionId]);
    expect((await list({ mcc: '5994', currency: 'EUR' })).map(({ id }) => id)).toEqual([held.transactionId, paid.transactionId]);
    expect((await list({ categoryCode: '5994' })).map(({ id }) => id)).toEqual([held.transactionId, paid.transactionId]);
    expect((await list({ categoryCode: '3000-3299,5900-5999,6011' })).map(({ id }) => id)).toEqual(ids);
    expect(await list({ categoryCode: '5995-6010,6012' })).toEqual([]);
    expect((await list({ merchant: 'KIO' })).map(({ id }) => id)).toEqual(ids);
    expect(await list({ merchant: 'K.osk' })).toEqual([]);
    expect(await list({ to: '2020-01-01' })).toEqual([]);
    expect((await list({ from: '2020-01-01' })).map(({ id }) => id)).toEqual(ids);
    const page = await client().cards.listCardTransactions({ limit: 2 });
    expect((await list({ limit: 2, cursor: page.pagination.nextCursor ?? '' })).map(({ id }) => id)).toEqual([paid.transactionId]);
  });

  it('take events twice, with a lost answer, and before the authorization', async () => {
    const { transactionId } = await pay('500', { loseAnswer: true });
    const cleared = await client().sandbox.clearPayment({ transactionId, amount: '500', repeat: 3 });
    expect(cleared).toMatchObject({ status: 'settled', clearedAmount: '500' });
    expect(cleared.events.map(({ type }) => type)).toEqual(['authorization', 'clearing']);
    const networkId = '01890a5d-ac96-774b-bcce-b302099a8099';
    expect(await client().sandbox.reversePayment({ transactionId: networkId, cardId })).toMatchObject({ status: 'reversed' });
    expect(await pay('700', { transactionId: networkId })).toMatchObject({ approved: false, responseCode: '12' });
    expectCode(await ask('POST', `/sandbox/payments/${networkId}/reverse`, {}), 404, 'PAYMENT_NOT_FOUND');
  });

  it('expire on the clock of the sandbox', async () => {
    const { transactionId } = await pay('600');
    await client().sandbox.advanceClock({ advanceSeconds: 11 * 86_400 });
    expect(await client().cards.getCardTransaction({ transactionId })).toMatchObject({ status: 'expired', heldAmount: '0' });
  });

  it('carry the receipt of the approval that the authorization used up, once and up to its amount', async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, cardId);
    expect(await pay('4999', { threeDsChallengeId: challengeId })).toMatchObject({
      approved: false,
      reason: { code: 'authentication_invalid' },
    });
    await decide(platform.api, person, challengeId, 'approve');
    expect(await pay('5000', { threeDsChallengeId: challengeId })).toMatchObject({ approved: false, responseCode: '1A' });
    const both = await Promise.all([1, 2].map(() => pay('4999', { threeDsChallengeId: challengeId })));
    expect(both.filter(({ approved }) => approved)).toHaveLength(1);
    const { transactionId = '' } = both.find(({ approved }) => approved) ?? {};
    expect(await client().cards.getCardTransaction({ transactionId })).toMatchObject({ threeDs: { challengeId } });
    expect((await client().threeDs.getChallenge({ challengeId })).challenge).toMatchObject({ cardTransactionId: transactionId });
    const { receipt } = await client().cards.getCardReceipt({ transactionId });
    expect(receipt).toMatchObject({ challengeId, decision: 'approve', signerType: 'wallet', merchant: { displayName: 'Bookshop' } });
    const { typedData, signature, signer } = receipt;
    expect(await recoverTypedDataAddress({ ...typedData, signature } as never)).toBe(signer);
    expect(signer).toBe(person.wallet.address);
    for await (const { open } of checkReceipt(JSON.stringify(receipt))) expect(open).toBeUndefined();
    const otherwise = await raiseChallenge(platform.api, person.token, cardId, { merchant: { id: 'M-2', displayName: 'Bookshop' } });
    await decide(platform.api, person, otherwise, 'approve');
    expect(await pay('4999', { threeDsChallengeId: otherwise })).toMatchObject({
      approved: false,
      reason: { code: 'authentication_invalid' },
    });
    expect(await pay('4999', { threeDsChallengeId: otherwise, merchant: { ...MERCHANT, id: 'M-2' } })).toMatchObject({ approved: true });
    const plain = await pay('100');
    expectCode(await ask('GET', `/cards/transactions/${plain.transactionId}/receipt`), 404, 'RECEIPT_NOT_FOUND');
  });

  it('are disputed once, with a provisional credit', async () => {
    const held = await pay('900');
    expectCode(await ask('POST', `/cards/transactions/${held.transactionId}/dispute`, { reason: 'other' }), 409, 'DISPUTE_NOT_AVAILABLE');
    await client().sandbox.clearPayment({ transactionId: held.transactionId, amount: '900' });
    expect(await client().cards.disputeCardTransaction({ transactionId: held.transactionId, reason: 'other' })).toMatchObject({
      status: 'submitted',
      amount: '900',
      cardBlocked: false,
    });
    const { dispute } = await client().cards.getCardTransaction({ transactionId: held.transactionId });
    expect(dispute).toMatchObject({ status: 'submitted', stage: 'opened', provisionalCredit: '900', createdAt: expect.any(String) });
    const { data } = await client().cards.listCardDisputes({ status: 'submitted', cardId });
    expect(data[0]).toMatchObject({ id: dispute?.id, createdAt: dispute?.createdAt });
    expect((await client().cards.listCardDisputes({ status: 'won' })).data).toEqual([]);
    expect((await client().cards.listCardDisputes({ to: '2020-01-01' })).data).toEqual([]);
    expectCode(await ask('POST', `/cards/transactions/${held.transactionId}/dispute`, { reason: 'other' }), 409, 'DISPUTE_NOT_AVAILABLE');
  });

  it('are disputed only up to what was not refunded', async () => {
    const { transactionId } = await pay('900', { capture: true });
    await client().sandbox.refundPayment({ transactionId, amount: '600' });
    await client().cards.disputeCardTransaction({ transactionId, reason: 'other' });
    expect(await client().cards.getCardTransaction({ transactionId })).toMatchObject({ dispute: { provisionalCredit: '300' } });
    const refunded = await pay('900', { capture: true });
    await client().sandbox.refundPayment({ transactionId: refunded.transactionId, amount: '900' });
    const again = await ask('POST', `/cards/transactions/${refunded.transactionId}/dispute`, { reason: 'other' });
    expectCode(again, 409, 'DISPUTE_NOT_AVAILABLE');
  });
});

describe('limits and controls', () => {
  it('are set by the cardholder within the program, shown with their use, and enforced', async () => {
    const card = await createCard(platform.api, person.token, { cardName: 'Limited' });
    const path = `/cards/${card}/limits`;
    const above = await ask('PATCH', path, { daily: { amount: '9000000', currency: 'EUR' } });
    expectCode(above, 422, 'LIMIT_ABOVE_PROGRAM');
    expect(above.headers.get('link')).toMatch(/title="field: daily; limit: \d+"/);
    expect((await ask('PATCH', path, { daily: { amount: '100', currency: 'USD' } })).status).toBe(422);
    await client().cards.updateCardLimits({
      cardId: card,
      daily: { amount: '1000', currency: 'EUR' },
      perTransaction: { amount: '800', currency: 'EUR' },
    });
    expect(await pay('801', { cardId: card })).toMatchObject({ approved: false, reason: { code: 'transaction_limit_exceeded' } });
    const first = await pay('700', { cardId: card });
    expect(await pay('301', { cardId: card })).toMatchObject({ approved: false, reason: { code: 'daily_limit_exceeded' } });
    expect(await client().cards.getCardLimits({ cardId: card })).toMatchObject({
      daily: { amount: '1000', used: '700', remaining: '300', resetsAt: expect.any(String) },
    });
    expect(await client().cards.getCard({ cardId: card })).toMatchObject({ limits: { daily: { used: '700' } } });
    await client().sandbox.clearPayment({ transactionId: first.transactionId, amount: '600' });
    expect(await client().cards.getCardLimits({ cardId: card })).toMatchObject({ daily: { used: '600' } });
    await client().sandbox.refundPayment({ transactionId: first.transactionId, amount: '600' });
    expect(await client().cards.getCardLimits({ cardId: card })).toMatchObject({ daily: { used: '600' } });
  });

  it('change one by one with PATCH, and are replaced only as a whole with PUT', async () => {
    const cardId = await createCard(platform.api, person.token, { cardName: 'Changing' });
    const { cards } = client();
    const euros = (amount: string) => ({ amount, currency: 'EUR' });
    await cards.updateCardLimits({ cardId, daily: euros('6000'), weekly: euros('9000') });
    // Twins that change different limits both have their way.
    await Promise.all([
      cards.updateCardLimits({ cardId, weekly: euros('8000') }),
      cards.updateCardLimits({ cardId, monthly: euros('20000') }),
      cards.updateCardLimits({ cardId, atm: euros('500') }),
    ]);
    const limits = { daily: { amount: '6000' }, weekly: { amount: '8000' }, monthly: { amount: '20000' }, atm: { amount: '500' } };
    expect(await cards.getCardLimits({ cardId })).toMatchObject(limits);
    for (const body of [{ daily: euros('1') }, {}]) {
      expectValidation(await ask('PUT', `/cards/${cardId}/limits`, body), 'weekly');
      expect(await cards.getCardLimits({ cardId })).toMatchObject(limits);
    }
    expect(await ask('PATCH', `/cards/${cardId}/limits`, {})).toMatchObject(EMPTY);
    // Without a limit of the cardholder, the program's holds.
    expectCode(await ask('PATCH', `/cards/${cardId}/limits`, { daily: null }), 403, 'APPROVAL_REQUIRED');
    const other = await approve(platform.api, person, { change: 'limits', given: { cardId, weekly: null } });
    expectCode(await ask('PATCH', `/cards/${cardId}/limits?approval=${other}`, { daily: null }), 400, 'INVALID_APPROVAL');
    expect((await limit({ cardId, daily: null })).daily?.amount).toBe('1000000');
    const none = { cardId, perTransaction: null, daily: null, weekly: euros('7'), monthly: null, atm: null };
    const approval = await approve(platform.api, person, { change: 'limits', given: none });
    expect((await cards.setCardLimits({ ...none, approval })).monthly?.amount).toBe('5000000');

    await cards.updateCardControls({ cardId, categories: { deny: ['7995'] }, atm: false });
    await Promise.all([
      cards.updateCardControls({ cardId, categories: { allow: ['5942'] } }),
      cards.updateCardControls({ cardId, online: false }),
      cards.updateCardControls({ cardId, countries: { deny: ['US'] } }),
    ]);
    const controls = {
      categories: { allow: ['5942'], deny: ['7995'] },
      countries: { allow: [], deny: ['US'] },
      merchants: { allow: [], deny: [] },
      online: false,
      contactless: true,
      atm: false,
      singleUse: false,
    };
    expect(await cards.getCardControls({ cardId })).toEqual(controls);
    expectValidation(await ask('PUT', `/cards/${cardId}/controls`, { atm: true }), 'online');
    expectValidation(await ask('PUT', `/cards/${cardId}/controls`, { ...controls, categories: { deny: [] } }), 'categories.allow');
    for (const body of [{}, { categories: {} }]) {
      expect(await ask('PATCH', `/cards/${cardId}/controls`, body)).toMatchObject(EMPTY);
    }
    expect(await cards.getCardControls({ cardId })).toEqual(controls);
    expectCode(await ask('PATCH', `/cards/${cardId}/controls`, { online: true }), 403, 'APPROVAL_REQUIRED');
    expect(await control({ cardId, ...controls, online: true })).toEqual({ ...controls, online: true });
    // Programs of earlier releases do not know of single use, which stays.
    await cards.updateCardControls({ cardId, singleUse: true });
    const { singleUse: _unknown, ...known } = controls;
    expect(await cards.setCardControls({ cardId, ...known })).toEqual({ ...controls, singleUse: true });
  });

  it('outlive the replacement of a stolen card, with what was used of them', async () => {
    const card = await createCard(platform.api, person.token, { cardName: 'Stolen' });
    await client().cards.updateCardLimits({ cardId: card, daily: { amount: '1000', currency: 'EUR' } });
    await client().cards.updateCardControls({ cardId: card, categories: { deny: ['7995'] } });
    const held = await pay('700', { cardId: card });
    await client().cards.reportCardStolen({ cardId: card });
    const { id: replacement } = await client().cards.replaceCard({ cardId: card });
    const used = async () => (await client().cards.getCardLimits({ cardId: replacement })).daily?.used;
    expect(await used()).toBe('700');
    expect(await client().cards.getCardControls({ cardId: replacement })).toMatchObject({ categories: { deny: ['7995'] } });
    expect(await pay('301', { cardId: replacement })).toMatchObject({ approved: false, reason: { code: 'daily_limit_exceeded' } });
    expect(await pay('300', { cardId: replacement })).toMatchObject({ approved: true });
    // The old card's payment gives back to the limit that both share.
    await client().sandbox.reversePayment({ transactionId: held.transactionId });
    await expect.poll(used, { interval: 50 }).toBe('300');
    expect(await client().cards.getCard({ cardId: card })).toMatchObject({ limits: { daily: { used: '300' } } });
    expect(await pay('100', { cardId: card })).toMatchObject({ approved: false, reason: { code: 'card_stolen' } });
  });

  it('decline by category, country, merchant and channel', async () => {
    const card = await createCard(platform.api, person.token, { cardName: 'Controlled' });
    const none = { allow: [], deny: [] };
    const open = { categories: none, countries: none, merchants: none, online: true, contactless: true, atm: true };
    const declineWith = async (controls: Partial<Omit<Input<'cards.setCardControls'>, 'cardId'>>, more: Parameters<typeof pay>[1] = {}) => {
      await control({ cardId: card, ...open, ...controls });
      return (await pay('100', { cardId: card, ...more })).reason?.code;
    };
    expect(await declineWith({ categories: { allow: [], deny: ['5994'] } })).toBe('category_blocked');
    expect(await declineWith({ countries: { allow: ['DE'], deny: [] } })).toBe('country_blocked');
    expect(await declineWith({ merchants: { allow: [], deny: ['M-1'] } })).toBe('merchant_blocked');
    expect(await declineWith({ online: false })).toBe('channel_blocked');
    expect(await declineWith({ atm: false }, { atm: true, entryMode: 'chip' })).toBe('channel_blocked');
    expect(await declineWith({})).toBeUndefined();
    expect(await client().cards.getCardControls({ cardId: card })).toMatchObject({ online: true, categories: { allow: [], deny: [] } });
  });
});
