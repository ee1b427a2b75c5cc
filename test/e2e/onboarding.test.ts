import { randomUUID } from 'node:crypto';
import { signDelivery } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { acceptAllTerms, explainFunds, newPhone, newWallet, type Person, registerPerson, signIn } from '../support/story.ts';

const SECRET = 'secret of the KYC provider';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({ ONBOARDING: 'kyc', KYC_WEBHOOK_SECRET: SECRET });
});
afterAll(() => platform?.close());

const get = <T = object>(path: string, { token }: Person) => platform.api.call<T>('GET', path, { token });
const post = (path: string, { token }: Person, body?: object) => platform.api.request('POST', path, { token, body });
const status = async (person: Person) => (await get<{ status: string }>('/user/onboarding', person)).status;
const orderCard = (person: Person) => post('/cards/virtual', person, { cardName: 'Everyday', phone: newPhone() });
const deliver = (event: object, options: { secret?: string; at?: Date; signature?: string } = {}) => {
  const rawBody = JSON.stringify(event);
  const { secret = SECRET, at = platform.clock.now() } = options;
  const signature = options.signature ?? signDelivery(rawBody, at, secret);
  return platform.api.request('POST', '/webhooks/kyc', { rawBody, headers: { 'florin-signature': signature } });
};

describe('a person with ONBOARDING=kyc', () => {
  it('completes onboarding with an active account and gets no card before', async () => {
    const person = await registerPerson(platform.api);
    const { profileId } = await get<{ profileId: string }>('/kyc', person);
    const event = (sequence: number, state: string) => ({ id: randomUUID(), profileId, sequence, status: state });
    const isClosedToCards = async () => {
      expectCode(await orderCard(person), 403, 'ACCOUNT_NOT_ACTIVE');
      expect(await get('/user/account', person)).toMatchObject({ status: 'provisioning' });
    };

    expect(await status(person)).toBe('action_accept_tos');
    await isClosedToCards();
    await acceptAllTerms(platform.api, person.token);
    expect((await platform.api.as(person.token).terms.listUserTerms()).terms.every(({ accepted }) => accepted)).toBe(true);

    expect(await get('/user/onboarding', person)).toMatchObject({ status: 'action_complete_kyc', url: expect.stringMatching(/^https:/) });
    const { url } = (await post('/kyc/session', person)).body as { url: string };
    expect(await get('/user/onboarding', person)).toMatchObject({ url });
    expect((await deliver(event(1, 'documents_requested'))).status).toBe(200);
    expect((await deliver(event(3, 'in_review'))).status).toBe(200);
    expect((await deliver(event(2, 'pending'))).status).toBe(200);
    expect(await status(person)).toBe('kyc_in_review');
    expect(await get('/user', person)).toMatchObject({ kycStatus: 'in_review' });
    expectCode(await post('/kyc/session', person), 409, 'KYC_STATE_CONFLICT');
    await deliver(event(4, 'resubmission_requested'));
    expect(await status(person)).toBe('action_kyc_resubmission');
    await isClosedToCards();
    await deliver(event(5, 'approved'));

    expect(await status(person)).toBe('action_complete_sof');
    await isClosedToCards();
    await explainFunds(platform.api, person.token);
    expect(await get('/source-of-funds', person)).toMatchObject({ complete: true, answeredAt: expect.stringMatching(/Z$/) });

    expect(await get('/user/onboarding', person)).toEqual({ status: 'completed', kycStatus: 'approved' });
    expect(await get('/user/account', person)).toMatchObject({ status: 'active', provisionedAt: expect.stringMatching(/Z$/) });
    expect((await orderCard(person)).status).toBe(200);
  });

  it('sees a rejection and gets no card', async () => {
    const person = await registerPerson(platform.api);
    expect(await post('/sandbox/kyc', person, { status: 'rejected' })).toMatchObject({ status: 200, body: { status: 'rejected' } });
    expectCode(await post('/sandbox/kyc', person, { status: 'approved' }), 409, 'KYC_STATE_CONFLICT');
    expect(await status(person)).toBe('rejected');
    expectCode(await orderCard(person), 403, 'ACCOUNT_NOT_ACTIVE');
  });

  it('cannot submit steps that are not due', async () => {
    const person = await registerPerson(platform.api);
    const terms = [{ type: 'general', version: '0' }];
    expectCode(await post('/user/terms', person, { terms }), 422, 'TERMS_VERSION_INVALID');
    expectCode(await post('/user/terms', person, { terms: [{ type: 'unknown', version: '1' }] }), 422, 'TERMS_VERSION_INVALID');
    expectValidation(await post('/user/terms', person, {}), 'terms');
    expectValidation(await post('/source-of-funds', person, { answers: [{ question: 'Why?', answer: 'So' }] }), 'answers.0.question');
    expectValidation(await post('/source-of-funds', person, { answers: [] }), 'answers');
    expectValidation(await post('/sandbox/kyc', person, { status: 'not_started' }), 'status');
    expect(await status(person)).toBe('action_accept_tos');
  });
});

describe('POST /webhooks/kyc', () => {
  const event = { id: 'event', profileId: randomUUID(), sequence: 1, status: 'approved' };

  it('returns 401 for events that are unsigned, too old or not signed by the provider', async () => {
    expectCode(await deliver(event, { signature: '' }), 401, 'INVALID_SIGNATURE');
    expectCode(await deliver(event, { secret: 'another secret' }), 401, 'INVALID_SIGNATURE');
    expectCode(await deliver(event, { at: new Date(platform.clock.now().getTime() - 302_000) }), 401, 'INVALID_SIGNATURE');
    expectCode(await deliver(event, { at: new Date(platform.clock.now().getTime() + 302_000) }), 401, 'INVALID_SIGNATURE');
  });

  it('returns 422 for invalid events, and 404 for unknown profiles so that they are delivered again', async () => {
    expectValidation(await deliver({ ...event, status: 'promoted' }), 'status');
    expectValidation(await deliver([]), 'body');
    expectCode(await deliver(event), 404, 'KYC_PROFILE_NOT_FOUND');
  });
});

describe('GET /terms', () => {
  it('is public; acceptance is included for users only', async () => {
    const { terms } = await platform.api.as().terms.listTerms();
    expect(terms.map(({ type }) => type)).toEqual(['general', 'card', 'privacy']);
    expectCode(await platform.api.request('GET', '/user/terms'), 401, 'UNAUTHORIZED');
    const { accessToken } = await signIn(platform.api, newWallet());
    expectCode(await platform.api.request('GET', '/user/terms', { token: accessToken }), 403, 'USER_NOT_REGISTERED');
  });
});
