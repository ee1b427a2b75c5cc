import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../../support/expect-answer.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import {
  type ChallengeDetail,
  createCard,
  type Decision,
  decide,
  issueTypedData,
  newWallet,
  PAYMENT,
  type Person,
  raiseChallenge,
  registerPerson,
  signTypedData,
} from '../../support/story.ts';

let platform: Platform;
let person: Person;
let cardId: string;
beforeAll(async () => {
  platform = await openPlatform();
  person = await registerPerson(platform.api);
  cardId = await createCard(platform.api, person.token);
});
afterAll(() => platform?.close());

const raise = (more: object = {}) => raiseChallenge(platform.api, person.token, cardId, more);
const read = (id: string, token = person.token) => platform.api.request('GET', `/3ds/challenges/${id}`, { token });
const issue = (id: string, decision: unknown, token = person.token) =>
  platform.api.request('POST', `/3ds/challenges/${id}/decision-challenge`, { token, body: { decision } });
const submit = (id: string, decision: unknown, signature: unknown, token = person.token) =>
  platform.api.request('POST', `/3ds/challenges/${id}/decision`, { token, body: { decision, signature } });
const signatureFor = async (id: string, decision: Decision, wallet = person.wallet) =>
  signTypedData(wallet, await issueTypedData(platform.api, person.token, id, decision));
const statusOf = async (id: string) => ((await read(id)).body as ChallengeDetail).challenge.status;

describe('GET /3ds/challenges/{challengeId}', () => {
  it('returns the challenge and the server time', async () => {
    const id = await raise();
    const { body } = await read(id);
    expect(body).toMatchObject({
      serverTime: expect.stringMatching(/Z$/),
      challenge: {
        id,
        cardId,
        ...PAYMENT,
        decimals: 2,
        status: 'pending',
        decisionAvailable: true,
        createdAt: expect.stringMatching(/Z$/),
      },
    });
    for (const later of ['decision', 'decidedAt', 'cardTransactionId'])
      expect((body as ChallengeDetail).challenge).not.toHaveProperty(later);
  });

  it("returns 404 for an unknown challenge and for another user's", async () => {
    const id = await raise();
    const stranger = await registerPerson(platform.api);
    const unknown = await read(randomUUID());
    const foreign = await read(id, stranger.token);
    expectCode(unknown, 404, 'CHALLENGE_NOT_FOUND');
    expectCode(foreign, 404, 'CHALLENGE_NOT_FOUND');
    expectCode(await issue(id, 'approve', stranger.token), 404, 'CHALLENGE_NOT_FOUND');
    expectCode(await submit(id, 'approve', await signatureFor(id, 'approve', stranger.wallet), stranger.token), 404, 'CHALLENGE_NOT_FOUND');
    expectCode(await platform.api.request('GET', `/3ds/challenges/${id}`), 401, 'UNAUTHORIZED');
    expectValidation(await read('not-a-uuid'), 'challengeId');
  });
});

describe('POST /3ds/challenges/{challengeId}/decision-challenge', () => {
  it('returns typed data exactly as documented', async () => {
    const typedData = await issueTypedData(platform.api, person.token, await raise(), 'approve');
    expect(typedData).toEqual({
      domain: { name: 'Florin 3DS', version: '1', chainId: 100 },
      primaryType: 'Message',
      types: {
        Message: [
          { name: 'authorization', type: 'string' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      message: { authorization: expect.stringContaining('49.99 EUR'), nonce: expect.stringMatching(/^\d+$/) },
    });
    expect(typedData.message.authorization).toContain('Bookshop');
  });

  it('rejects an invalid decision', async () => {
    const id = await raise();
    for (const decision of ['perhaps', '', 1, null, undefined]) expectValidation(await issue(id, decision), 'decision');
  });
});

describe('POST /3ds/challenges/{challengeId}/decision', () => {
  it.each([
    ['approve', 'approved'],
    ['decline', 'declined'],
  ] as const)('%s leads to %s', async (decision, status) => {
    const { challenge } = await decide(platform.api, person, await raise(), decision);
    expect(challenge).toMatchObject({ status, decision, decisionAvailable: false, decidedAt: expect.stringMatching(/Z$/) });
  });

  it('returns 200 for the same decision again and DECISION_ALREADY_MADE for the opposite one', async () => {
    const id = await raise();
    const decline = await signatureFor(id, 'decline');
    const approve = await signatureFor(id, 'approve');
    expect((await submit(id, 'approve', approve)).status).toBe(200);
    expect(await submit(id, 'approve', approve)).toMatchObject({ status: 200, body: { challenge: { status: 'approved' } } });
    expectCode(await submit(id, 'decline', decline), 409, 'DECISION_ALREADY_MADE');
    expect(await statusOf(id)).toBe('approved');
  });

  it('rejects a replay on another challenge, a swapped decision, and a signature of another wallet', async () => {
    const [first, second] = [await raise(), await raise()];
    const signature = await signatureFor(first, 'approve');
    await issue(second, 'approve');
    expectCode(await submit(second, 'approve', signature), 400, 'INVALID_SIGNATURE');
    expectCode(await submit(first, 'decline', signature), 400, 'INVALID_SIGNATURE');
    expectCode(await submit(first, 'approve', await signatureFor(first, 'approve', newWallet())), 400, 'INVALID_SIGNATURE');
    expect([await statusOf(first), await statusOf(second)]).toEqual(['pending', 'pending']);
    expect((await submit(first, 'approve', signature)).status).toBe(200);
  });

  it('rejects a signature before typed data was issued', async () => {
    const id = await raise();
    expectCode(await submit(id, 'approve', `0x${'11'.repeat(65)}`), 400, 'INVALID_SIGNATURE');
  });

  it('rejects typed data with another chain, nonce or text', async () => {
    const id = await raise();
    const data = await issueTypedData(platform.api, person.token, id, 'approve');
    const changed = [
      { ...data, domain: { ...data.domain, chainId: 1 } },
      { ...data, message: { ...data.message, nonce: String(BigInt(data.message.nonce) ^ 1n) } },
      { ...data, message: { ...data.message, authorization: data.message.authorization.replace('49.99', '4.99') } },
    ];
    for (const typedData of changed)
      expectCode(await submit(id, 'approve', await signTypedData(person.wallet, typedData)), 400, 'INVALID_SIGNATURE');
    expect(await statusOf(id)).toBe('pending');
  });

  it('fails the challenge after five invalid signatures', async () => {
    const id = await raise();
    const good = await signatureFor(id, 'approve');
    const bad = await signatureFor(id, 'approve', newWallet());
    for (let attempt = 0; attempt < 5; attempt += 1) expectCode(await submit(id, 'approve', bad), 400, 'INVALID_SIGNATURE');
    expect(await statusOf(id)).toBe('failed');
    expectCode(await submit(id, 'approve', good), 409, 'DECISION_NOT_AVAILABLE');
  });

  it('accepts one of two concurrent opposite decisions', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await raise();
      const [approve, decline] = [await signatureFor(id, 'approve'), await signatureFor(id, 'decline')];
      const answers = await Promise.all([submit(id, 'approve', approve), submit(id, 'decline', decline)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expectCode(answers.find(({ status }) => status !== 200) ?? expect.fail('both won'), 409, 'DECISION_ALREADY_MADE');
      expect(['approved', 'declined']).toContain(await statusOf(id));
    }
  });

  it('returns 200 to both of two concurrent equal decisions', async () => {
    const id = await raise();
    const signatures = [await signatureFor(id, 'approve'), await signatureFor(id, 'approve')];
    const answers = await Promise.all(signatures.map((signature) => submit(id, 'approve', signature)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await statusOf(id)).toBe('approved');
  });

  it('rejects invalid requests', async () => {
    const id = await raise();
    expectValidation(await submit(id, 'maybe', `0x${'11'.repeat(65)}`), 'decision');
    expectValidation(await submit(id, 'approve', 5), 'signature');
    expectCode(await submit(id, 'approve', '0x12'), 400, 'INVALID_SIGNATURE');
    expectValidation(await submit(id, 'approve', '12'), 'signature');
    expectCode(await submit(randomUUID(), 'approve', `0x${'11'.repeat(65)}`), 404, 'CHALLENGE_NOT_FOUND');
  });
});

describe('POST /sandbox/3ds/challenges/{challengeId}/confirm', () => {
  const confirm = (id: string) => platform.api.request('POST', `/sandbox/3ds/challenges/${id}/confirm`, { token: person.token });

  it('completes a decision that is processing', async () => {
    const id = await raise({ confirmsLater: true });
    expectCode(await confirm(id), 409, 'CHALLENGE_STATE_CONFLICT');
    const { challenge } = await decide(platform.api, person, id, 'approve');
    expect(challenge).toMatchObject({ status: 'processing', decision: 'approve', decisionAvailable: false });
    for (let call = 0; call < 2; call += 1) {
      expect((await confirm(id)).body).toMatchObject({ challenge: { status: 'approved', decision: 'approve' } });
    }
  });
});

describe('POST /sandbox/3ds/challenges/{challengeId}/cancel', () => {
  const cancel = (id: string, token = person.token) => platform.api.request('POST', `/sandbox/3ds/challenges/${id}/cancel`, { token });

  it('withdraws a pending challenge', async () => {
    const [pending, decided] = [await raise(), await raise()];
    expectCode(await cancel(pending, (await registerPerson(platform.api)).token), 404, 'CHALLENGE_NOT_FOUND');
    for (let call = 0; call < 2; call += 1) expect((await cancel(pending)).body).toMatchObject({ challenge: { status: 'cancelled' } });
    await decide(platform.api, person, decided, 'decline');
    expectCode(await cancel(decided), 409, 'CHALLENGE_STATE_CONFLICT');
    expect(await statusOf(decided)).toBe('declined');
  });
});

describe('POST /sandbox/3ds/challenges', () => {
  it("rejects another user's card like an unknown one", async () => {
    const stranger = await registerPerson(platform.api);
    const raise = (token: string, id: string) =>
      platform.api.request('POST', '/sandbox/3ds/challenges', { token, body: { cardId: id, ...PAYMENT } });
    expectCode(await raise(stranger.token, cardId), 404, 'CARD_NOT_FOUND');
    expectCode(await raise(person.token, randomUUID()), 404, 'CARD_NOT_FOUND');
  });
});
