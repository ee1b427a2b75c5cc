import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

describe('onboarding', () => {
  it.each(Object.entries(OnboardingStatus).filter(([, status]) => status !== OnboardingStatus.UNSPECIFIED))(
    'maps %s to a word',
    async (name, status) => {
      gateway.fakes.stub('getOnboarding', () => ({ status, url: '', kycStatus: KycStatus.APPROVED }));
      expect((await gateway.asUser('GET /user/onboarding')).body).toEqual({ status: name.toLowerCase(), kycStatus: 'approved' });
    },
  );

  it('includes the page of the provider', async () => {
    expect((await gateway.asUser('GET /user/onboarding')).body).toEqual({
      status: 'action_complete_kyc',
      url: 'https://kyc.florin.example/s/1',
      kycStatus: 'documents_requested',
    });
  });
});

describe('terms', () => {
  const document = { name: 'General Terms', url: 'https://florin.example/terms/general', currentVersion: '2' };

  it('are public and may be cached for a minute', async () => {
    const answer = await gateway.ask('GET /terms');
    expect(answer).toMatchObject({ status: 200, body: { terms: [{ type: 'general', ...document }] } });
    expect(answer.text).not.toContain('accepted');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('show the accepted versions to a user', async () => {
    expect((await gateway.asUser('GET /user/terms')).body).toEqual({
      terms: [
        { type: 'general', ...document, accepted: false },
        { type: 'card', ...document, accepted: true, acceptedVersion: '2', acceptedAt: '2026-01-31T12:00:00.123Z' },
      ],
    });
  });

  it('are accepted with the IP address of the caller', async () => {
    const terms = [{ type: 'general', version: '2' }];
    expect(await gateway.asUser('POST /user/terms', { terms })).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.callOf('acceptTerms')?.request).toMatchObject({ terms, ip: '127.0.0.1' });
    gateway.refuse('acceptTerms', 'TERMS_VERSION_INVALID');
    expect(await gateway.asUser('POST /user/terms', { terms })).toMatchObject({
      status: 422,
      body: { success: false, error: 'TERMS_VERSION_INVALID' },
    });
  });

  it.each([{}, { terms: [] }, { terms: [{ type: 'general' }] }, { terms: [{ type: 'x'.repeat(41), version: '1' }] }, { terms: 'all' }])(
    'rejects %j',
    async (body) => {
      expect(await gateway.asUser('POST /user/terms', body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    },
  );
});

describe('source of funds', () => {
  it('returns the questions with the answers', async () => {
    expect((await gateway.asUser('GET /source-of-funds')).body).toEqual({
      questions: [
        { question: 'From where?', answers: ['Work', 'Luck'], answer: 'Work' },
        { question: 'How much?', answers: ['Little'] },
      ],
      complete: false,
      answeredAt: '2026-01-31T12:00:00.123Z',
    });
  });

  it('accepts answers', async () => {
    const answers = [{ question: 'From where?', answer: 'Luck' }];
    expect(await gateway.asUser('POST /source-of-funds', { answers })).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.callOf('submitSourceOfFunds')?.request).toMatchObject({ answers });
    gateway.refuse('submitSourceOfFunds', 'VALIDATION_FAILED');
    expect(await gateway.asUser('POST /source-of-funds', { answers })).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });

  it.each([{}, { answers: [{ question: 'From where?' }] }, { answers: [{ question: '', answer: 'x' }] }])('rejects %j', async (body) => {
    expect(await gateway.asUser('POST /source-of-funds', body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
  });
});

describe('identity check', () => {
  it('has a status and a page of the provider', async () => {
    expect((await gateway.asUser('GET /kyc')).body).toMatchObject({ status: 'in_review', changedAt: '2026-01-31T12:00:00.123Z' });
    expect((await gateway.asUser('POST /kyc/session')).body).toEqual({
      url: 'https://kyc.florin.example/s/1',
      expiresAt: '2026-01-31T12:00:00.123Z',
    });
  });

  it.each([
    ['KYC_STATE_CONFLICT', 409],
    ['KYC_SESSION_FAILED', 502],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('createKycSession', code);
    expect(await gateway.asUser('POST /kyc/session')).toMatchObject({ status, body: { success: false, error: code } });
  });

  it('can be moved in the sandbox', async () => {
    expect(await gateway.asUser('POST /sandbox/kyc', { status: 'approved' })).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(gateway.callOf('moveKyc')?.request).toMatchObject({ status: KycStatus.APPROVED });
    expect(await gateway.asUser('POST /sandbox/kyc', { status: 'not_started' })).toMatchObject({
      status: 422,
      body: { kind: 'validation' },
    });
  });
});

describe('the webhook of the KYC provider', () => {
  const signature = 't=1,v1=00';
  const deliver = (rawBody: string | Uint8Array, headers: Record<string, string> = {}) =>
    gateway.ask('POST /webhooks/kyc', { rawBody, headers: { 'florin-signature': signature, ...headers } });

  it('forwards the body byte by byte with the signature', async () => {
    for (const body of ['{ "a":1,\n"a":2 }', '', 'not JSON', '\ufeff{}', '{"é":"\\u00e9"}']) {
      gateway.fakes.reset();
      expect(await deliver(body)).toMatchObject({ status: 200, body: { success: true } });
      const { request } = gateway.callOf('receiveEvent') ?? {};
      expect(Buffer.from(request.body)).toEqual(Buffer.from(body));
      expect(request.signature).toBe(signature);
    }
    const bytes = new Uint8Array([0xff, 0x00, 0xfe, 0x80]);
    gateway.fakes.reset();
    await deliver(bytes, { 'content-type': 'application/octet-stream' });
    expect(new Uint8Array(gateway.callOf('receiveEvent')?.request.body)).toEqual(bytes);
  });

  it.each([
    ['INVALID_SIGNATURE', 401],
    ['KYC_PROFILE_NOT_FOUND', 404],
    ['VALIDATION_FAILED', 422],
    ['SERVICE_UNAVAILABLE', 503],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('receiveEvent', code);
    expect(await deliver('{}')).toMatchObject({ status });
  });

  it('limits body and signature', async () => {
    expect(await deliver('x'.repeat(64 * 1024 + 1))).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
    expect(await deliver('x', { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
    expect(gateway.callOf('receiveEvent')).toBeUndefined();
    await deliver('{}', { 'florin-signature': 'x'.repeat(5000) });
    expect(gateway.callOf('receiveEvent')?.request.signature).toHaveLength(2048);
    gateway.fakes.reset();
    await gateway.ask('POST /webhooks/kyc', { rawBody: '{}' });
    expect(gateway.callOf('receiveEvent')?.request.signature).toBe('');
  });
});
