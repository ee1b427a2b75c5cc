import { createLogger } from '@florin/rpc/observe';
import { signDelivery } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  acceptAllTerms,
  createCard,
  explainFunds,
  issueTypedData,
  newPhone,
  newWallet,
  raiseChallenge,
  readCode,
  requestEmailCode,
  signTypedData,
  siweMessage,
  submitDecision,
  wrongCode,
} from '../support/story.ts';

const SECRET = 'secret-of-the-KYC-provider';
const SHARE_TOKEN = 'a-check-that-was-done-elsewhere';

const lines: string[] = [];
const logger = createLogger('platform', 'trace', { write: (line: string) => void lines.push(line) });

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({ ONBOARDING: 'kyc', KYC_WEBHOOK_SECRET: SECRET, LOG_LEVEL: 'trace' }, { logger });
});
afterAll(() => platform?.close());

/** Matches a code on its own; the same digits can occur within an id. */
const alone = (code: string): RegExp => new RegExp(`(?<![0-9a-zA-Z])${code}(?![0-9a-zA-Z])`);

describe('the logs of gateway and services at level trace', () => {
  it('contain no code, token, secret, signature, e-mail address or phone number, on success or failure', async () => {
    const { api } = platform;
    const wallet = newWallet();
    const email = `Grep.Me+${Date.now()}@logs.example.org`;
    const secrets: string[] = [SECRET, SHARE_TOKEN, email, email.toLowerCase()];
    const codes: string[] = [];

    const message = await siweMessage(api, wallet.address);
    const signature = await wallet.signMessage({ message });
    const tokens = await api.as().auth.signIn({ message, signature });
    // A used code and a malformed one.
    await api.request('POST', '/auth/siwe', { body: { message, signature } });
    await api.request('POST', '/auth/siwe', { body: { message, signature: `${signature}00` } });
    secrets.push(signature, tokens.accessToken, tokens.refreshToken, /Nonce: (\w+)/.exec(message)?.[1] ?? '');

    const otp = await requestEmailCode(api, tokens.accessToken, email);
    codes.push(otp, wrongCode(otp));
    const register = (code: string, shareToken = SHARE_TOKEN) =>
      api.request('POST', '/user', { token: tokens.accessToken, body: { email, otp: code, shareToken } });
    await register(wrongCode(otp));
    expect((await register(otp, 'fail')).status).toBe(502);
    const registered = await register(otp);
    const { accessToken: token } = registered.body as { accessToken: string };
    await register(otp);
    secrets.push(token);

    const refreshed = await api.as().auth.refreshSession({ refreshToken: tokens.refreshToken });
    await api.request('POST', '/auth/refresh', { body: { refreshToken: `${refreshed.refreshToken}x` } });
    await api.request('GET', '/user', { token: `${token}x` });
    secrets.push(refreshed.accessToken, refreshed.refreshToken);

    const { url } = await api.as(token).kyc.createKycSession();
    secrets.push(url, url.split('/').at(-1) ?? '');
    const { profileId } = await api.as(token).kyc.getKyc();
    const deliver = (body: string, key = SECRET) => {
      const signed = signDelivery(body, platform.clock.now(), key);
      secrets.push(signed, signed.split('v1=')[1] ?? '');
      return api.request('POST', '/webhooks/kyc', { rawBody: body, headers: { 'florin-signature': signed } });
    };
    const event = JSON.stringify({ id: 'e1', profileId, sequence: 1, status: 'approved', person: { email } });
    expect((await deliver(event, 'another secret')).status).toBe(401);
    expect((await deliver(`{"email":"${email}"`)).status).toBe(422);
    expect((await deliver(event)).status).toBe(200);
    await acceptAllTerms(api, token);
    await explainFunds(api, token);

    const phone = newPhone();
    await api.request('POST', '/phone/verification', { token, body: { phone } });
    await api.request('POST', '/phone/verification', { token, body: { phone } });
    const phoneCode = await readCode(api, phone);
    codes.push(phoneCode);
    secrets.push(phone, phone.slice(1));
    const cardId = await createCard(api, token, { cardName: 'Everyday', phone });
    await api.request('PATCH', '/phone', { token, body: { code: wrongCode(phoneCode) } });
    expect((await api.request('PATCH', '/phone', { token, body: { code: phoneCode } })).status).toBe(200);

    const challengeId = await raiseChallenge(api, token, cardId);
    const typedData = await issueTypedData(api, token, challengeId, 'approve');
    const decision = await signTypedData(wallet, typedData);
    await api.request('POST', `/3ds/challenges/${challengeId}/decision`, { token, body: { decision: 'decline', signature: decision } });
    await submitDecision(api, token, challengeId, 'approve', decision);
    secrets.push(decision, typedData.message.nonce);

    // Services log their failures with the causes: stop one.
    await platform.services.card.close();
    expect((await api.request('PATCH', '/phone', { token, body: { phone } })).status).toBe(503);

    const text = lines.join('');
    expect(text).toContain('florin.identity.v1.KycService/ReceiveEvent');
    expect(text).toContain('rpc rejected');
    expect(text).toContain('rpc failed');
    expect(text).toContain('request failed');
    expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
    for (const secret of secrets) expect(text.includes(secret), `${secret.slice(0, 12)}…`).toBe(false);
    for (const code of codes) expect(alone(code).test(text), 'a code').toBe(false);
    expect(text).not.toMatch(/@logs\.example\.org/i);
  });
});
