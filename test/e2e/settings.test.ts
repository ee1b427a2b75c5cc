import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  createCard,
  issueTypedData,
  newPhone,
  newWallet,
  raiseChallenge,
  readCode,
  registerPerson,
  signIn,
  signTypedData,
  walletToAdd,
} from '../support/story.ts';

describe('with PHONE_VERIFICATION=required', () => {
  let strict: PlatformInProcess;
  beforeAll(async () => {
    strict = await startPlatformInProcess({ PHONE_VERIFICATION: 'required' });
  });
  afterAll(() => strict?.close());

  it('requires a code (CODE_REQUIRED) and a verified phone number for the first card', async () => {
    const { token } = await registerPerson(strict.api);
    const phone = newPhone();
    const request = () => strict.api.request('POST', '/cards/virtual', { token, body: { cardName: 'Everyday', phone } });
    expectCode(await request(), 422, 'PHONE_NOT_VERIFIED');
    expectCode(await strict.api.request('PATCH', '/phone', { token, body: { phone } }), 422, 'CODE_REQUIRED');
    await strict.api.as(token).phone.sendPhoneCode({ phone });
    await strict.api.as(token).phone.updatePhone({ code: await readCode(strict.api, phone) });
    expect((await request()).status).toBe(200);
  });
});

describe('with ONBOARDING=kyc', () => {
  let strict: PlatformInProcess;
  beforeAll(async () => {
    strict = await startPlatformInProcess({ ONBOARDING: 'kyc' });
  });
  afterAll(() => strict?.close());

  it('rejects cards and withdrawals while the account is provisioning (ACCOUNT_NOT_ACTIVE)', async () => {
    const { token } = await registerPerson(strict.api);
    expect(await strict.api.as(token).userAccount.getAccount()).toMatchObject({ status: 'provisioning' });
    expectCode(
      await strict.api.request('POST', '/cards/virtual', { token, body: { cardName: 'X', phone: newPhone() } }),
      403,
      'ACCOUNT_NOT_ACTIVE',
    );
    const withdrawal = { token: 'EURe', amount: '1' };
    expectCode(await strict.api.request('POST', '/sandbox/withdrawals', { token, body: withdrawal }), 403, 'ACCOUNT_NOT_ACTIVE');
  });
});

describe('with WALLET_COOLING_SECONDS, a new wallet', () => {
  let cooling: PlatformInProcess;
  beforeAll(async () => {
    cooling = await startPlatformInProcess({ WALLET_COOLING_SECONDS: '3600' });
  });
  afterAll(() => cooling?.close());

  it('signs in and declines payments, and approves them only afterwards', async () => {
    const { api, clock } = cooling;
    const person = await registerPerson(api);
    const cardId = await createCard(api, person.token);
    const other = newWallet();
    const body = await walletToAdd(api, person.token, other, person.wallet);
    await api.as(person.token).user.addWallet(body);
    const { accessToken: token } = await signIn(api, other);
    const decideAs = async (caller: string, decision: 'approve' | 'decline') => {
      const id = await raiseChallenge(api, caller, cardId);
      const signature = await signTypedData(other, await issueTypedData(api, caller, id, decision));
      return { id, answer: await api.request('POST', `/3ds/challenges/${id}/decision`, { token: caller, body: { decision, signature } }) };
    };
    const { id, answer } = await decideAs(token, 'approve');
    expectCode(answer, 403, 'WALLET_COOLING');
    // It is not counted as a bad signature, however often it is tried.
    for (let count = 0; count < 6; count += 1) {
      const signature = await signTypedData(other, await issueTypedData(api, token, id, 'approve'));
      const again = await api.request('POST', `/3ds/challenges/${id}/decision`, { token, body: { decision: 'approve', signature } });
      expectCode(again, 403, 'WALLET_COOLING');
    }
    expect(await api.as(token).threeDs.getChallenge({ challengeId: id })).toMatchObject({ challenge: { status: 'pending' } });
    expect((await decideAs(token, 'decline')).answer.status).toBe(200);
    clock.advanceSeconds(3600);
    const { accessToken: later } = await signIn(api, other);
    expect((await decideAs(later, 'approve')).answer.status).toBe(200);
  });
});

describe('GET /capabilities', () => {
  const capabilitiesWith = async (environment: Record<string, string>) => {
    const platform = await startPlatformInProcess(environment);
    try {
      return await platform.api.call('GET', '/capabilities');
    } finally {
      await platform.close();
    }
  };

  it('tells without a token what a sandbox offers and that it requires nothing', async () => {
    expect(await capabilitiesWith({ RATE_LIMIT_PER_MINUTE: '500', AUTH_RATE_LIMIT_PER_MINUTE: '40' })).toEqual({
      sandbox: true,
      onboarding: [],
      wallets: ['eoa'],
      withdrawals: false,
      tokens: [
        { token: 'EURe', decimals: 18, currency: 'EUR', contract: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
        { token: 'GBPe', decimals: 18, currency: 'GBP', contract: expect.any(String) },
        { token: 'USDC.e', decimals: 6, currency: 'USD', contract: expect.any(String) },
      ],
      tokenBlocks: [],
      currencies: ['EUR', 'GBP', 'USD'],
      chain: { id: '100', name: 'Gnosis' },
      limits: {
        cards: 5,
        requestsPerMinute: { caller: 500, signIn: 40 },
        payments: { currency: 'EUR', perTransaction: '500000', daily: '1000000', weekly: '2500000', monthly: '5000000', atm: '100000' },
      },
      support: {},
    });
  });

  it('names the steps that a deployment requires, the wallets that it takes and where people get help', async () => {
    const requiring = {
      ONBOARDING: 'kyc',
      PHONE_VERIFICATION: 'required',
      ACCOUNTS_NEED_SAFE: 'true',
      SAFE_PLATFORM_OWNER: '0x52908400098527886E0F7030069857D2E4169EE7',
      CHAIN_RPC_URLS: JSON.stringify({ 100: 'http://127.0.0.1:9' }),
      CARD_PROGRAM: JSON.stringify({ limits: { daily: '7000' } }),
      SUPPORT_URL: 'https://help.example.org/',
      SUPPORT_EMAIL: 'help@example.org',
    };
    expect(await capabilitiesWith(requiring)).toMatchObject({
      onboarding: ['terms', 'kyc', 'source_of_funds', 'phone', 'safe'],
      wallets: ['eoa', 'safe'],
      limits: { payments: { daily: '7000' } },
      support: { url: 'https://help.example.org/', email: 'help@example.org' },
    });
  });
});
