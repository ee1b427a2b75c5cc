import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, issueTypedData, newPhone, raiseChallenge, readCode, registerPerson, signIn, signTypedData } from '../support/story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

describe('a 3DS challenge', () => {
  it('is expired from the moment of expiry, before and after the sweeper has run', async () => {
    const { token, wallet } = await registerPerson(platform.api);
    const cardId = await createCard(platform.api, token);
    const id = await raiseChallenge(platform.api, token, cardId, { expiresInSeconds: 60 });
    const signature = await signTypedData(wallet, await issueTypedData(platform.api, token, id, 'approve'));
    platform.clock.advanceSeconds(60);
    const challenge = await platform.api.as(token).threeDs.getChallenge({ challengeId: id });
    expect(challenge).toMatchObject({ challenge: { status: 'expired', decisionAvailable: false } });
    const decide = (path: string, body: object) => platform.api.request('POST', `/3ds/challenges/${id}/${path}`, { token, body });
    expectCode(await decide('decision', { decision: 'approve', signature }), 409, 'DECISION_NOT_AVAILABLE');
    expectCode(await decide('decision-challenge', { decision: 'approve' }), 409, 'DECISION_NOT_AVAILABLE');
  });
});

describe('a code by SMS', () => {
  it('is expired after five minutes', async () => {
    const { token, wallet } = await registerPerson(platform.api);
    await createCard(platform.api, token);
    const phone = newPhone();
    await platform.api.as(token).phone.sendPhoneCode({ phone });
    const code = await readCode(platform.api, phone);
    platform.clock.advanceSeconds(301);
    // A change of the number needs a sign-in of the last five minutes.
    const { accessToken } = await signIn(platform.api, wallet);
    expectCode(await platform.api.request('PATCH', '/phone', { token: accessToken, body: { code } }), 400, 'CODE_EXPIRED');
  });
});
