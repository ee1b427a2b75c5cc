import { Decision } from '@florin/proto/threeds/v1/challenge';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, CARD_ID, CHALLENGE_ID } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

describe('a 3DS challenge', () => {
  const path = `/3ds/challenges/${CHALLENGE_ID}`;

  it('is returned with the server time', async () => {
    const { body } = await gateway.asUser(`GET ${path}`);
    expect(body).toEqual({
      serverTime: '2026-01-31T12:00:00.123Z',
      challenge: {
        id: CHALLENGE_ID,
        cardId: CARD_ID,
        accountId: ACCOUNT_ID,
        amount: '1999',
        currency: 'EUR',
        decimals: 2,
        cardLast4: '4242',
        merchant: { displayName: 'Shop' },
        status: 'pending',
        createdAt: '2026-01-31T12:00:00.123Z',
        expiresAt: '2126-01-31T12:05:00.000Z',
        decisionAvailable: true,
      },
    });
  });

  it('has typed data to sign', async () => {
    const { body } = await gateway.asUser(`POST ${path}/decision-challenge`, { decision: 'decline' });
    expect(body).toEqual({
      domain: { name: 'Florin 3DS', version: '1', chainId: 100 },
      primaryType: 'Message',
      types: {
        Message: [
          { name: 'authorization', type: 'string' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      message: { authorization: 'Approve 19.99 EUR at Shop', nonce: '340282366920938463463374607431768211456' },
    });
    expect(gateway.callOf('issueDecisionChallenge')?.request.decision).toBe(Decision.DECLINE);
  });

  it('has the type of the domain with domainType=true', async () => {
    const typesOf = async (query: string) =>
      ((await gateway.asUser(`POST ${path}/decision-challenge${query}`, { decision: 'approve' })).body as { types: object }).types;
    expect(await typesOf('?domainType=true')).toMatchObject({
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
    });
    expect(Object.keys(await typesOf('?domainType=false'))).toEqual(['Message']);
    expect(await gateway.asUser(`POST ${path}/decision-challenge?domainType=1`, { decision: 'approve' })).toMatchObject({ status: 422 });
  });

  it('asks for the name in quotation marks with quoted=true', async () => {
    for (const [query, quoted] of [
      ['', false],
      ['?quoted=true', true],
    ] as const) {
      await gateway.asUser(`POST ${path}/decision-challenge${query}`, { decision: 'approve' });
      expect(gateway.callOf('issueDecisionChallenge')?.request).toMatchObject({ quoted });
      gateway.fakes.reset();
    }
  });

  it('accepts a decision', async () => {
    const { body } = await gateway.asUser(`POST ${path}/decision`, { decision: 'approve', signature: '0xab' });
    expect(body).toMatchObject({ challenge: { status: 'processing', decision: 'approve', decisionAvailable: false } });
  });

  it.each([
    ['CHALLENGE_NOT_FOUND', 404],
    ['INVALID_SIGNATURE', 400],
    ['DECISION_NOT_AVAILABLE', 409],
    ['DECISION_ALREADY_MADE', 409],
  ] as const)('responds to %s with %d', async (code, status) => {
    gateway.refuse('submitDecision', code);
    const answer = await gateway.asUser(`POST ${path}/decision`, { decision: 'approve', signature: '0xab' });
    expect(answer).toMatchObject({ status, body: { success: false, error: code } });
  });

  it.each([
    ['GET /3ds/challenges/12', undefined],
    ['GET /3ds/challenges/%zz', undefined],
    [`POST ${path}/decision`, { decision: 'maybe', signature: '0xab' }],
    [`POST ${path}/decision`, { decision: 'approve', signature: 'ab' }],
    [`POST ${path}/decision-challenge`, {}],
  ])('rejects %s %j', async (target, body) => {
    expect(await gateway.asUser(target, body)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect(gateway.fakes.calls).toEqual([]);
  });
});
