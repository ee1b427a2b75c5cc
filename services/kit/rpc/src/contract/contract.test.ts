import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { ExpireRequestSchema } from '@florin/proto/card/v1/processor_service';
import { PageRequestSchema } from '@florin/proto/common/v1/page';
import { ConsumeAuthenticationRequestSchema } from '@florin/proto/threeds/v1/authentication_service';
import { Decision as WireDecision } from '@florin/proto/threeds/v1/challenge';
import {
  ChallengeService,
  CountChallengesRequestSchema,
  CreateChallengeRequestSchema,
  FindChallengesRequestSchema,
  GetChallengeRequestSchema,
  GetRaisedChallengeRequestSchema,
  IssueDecisionChallengeRequestSchema,
} from '@florin/proto/threeds/v1/challenge_service';
import { describe, expect, it } from 'vitest';
import { type TestRules, testContract } from '../testing/index.ts';
import { createWords, requestJudge, requireFields, rulesOf } from './index.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** @returns the message of the rejection; empty for a request that is accepted */
const judged = <D extends DescMessage>(desc: D, request: MessageInitShape<D>): string => {
  try {
    requestJudge(desc)(create(desc, request));
    return '';
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
    return (error as Error).message;
  }
};

describe('the rules of an RPC', () => {
  const rulesWith = (rules: TestRules) => rulesOf(testContract(ChallengeService, { createChallenge: rules }).method.createChallenge);
  const scope = 'threeds.challenges.write';

  it('are read from its contract, with the errors that follow from them', () => {
    const rules = rulesOf(ChallengeService.method.getChallenge);
    expect(rules).toMatchObject({ policy: { access: 'userOrService', scope: 'threeds.challenges.read' }, key: undefined });
    expect([...(rules?.ownErrors ?? [])]).toEqual(['CHALLENGE_NOT_FOUND']);
    expect([...(rules?.subjects ?? [])]).toEqual(['challenge_id']);
    expect(rules?.errors).toEqual(
      new Set([
        'CHALLENGE_NOT_FOUND',
        'FORBIDDEN',
        'INTERNAL_ERROR',
        'REASON_REQUIRED',
        'SERVICE_UNAVAILABLE',
        'UNAUTHORIZED',
        'UPSTREAM_TIMEOUT',
        'USER_NOT_REGISTERED',
        'VALIDATION_FAILED',
      ]),
    );
    expect(rulesOf(ChallengeService.method.watchAllChallenges)?.errors).toContain('STREAM_LIMIT_REACHED');
  });

  it.each<[string, TestRules]>([
    ['it has no scope', { access: 'service', scope: '' }],
    ['it has a scope, and no service may call it', { access: 'user', scope } as unknown as TestRules],
    ['NO_SUCH_CODE is no error code', { access: 'user', errors: ['NO_SUCH_CODE' as never] }],
    ['FORBIDDEN follows from its other rules', { access: 'user', errors: ['FORBIDDEN'] }],
    ['it lists IDEMPOTENCY_KEY_REUSED, and has no key', { access: 'user', errors: ['IDEMPOTENCY_KEY_REUSED'] }],
    ['its request has no field merchant.name', { access: 'user', key: 'merchant.name' }],
    ['its request has no field user_id', { access: 'service', scope, partnerScope: 'users.read', errors: ['USER_NOT_FOUND'] }],
    ['its request has no field id', { access: 'user', subjects: ['id'] }],
  ])('are rejected when %s', (problem, rules) => {
    expect(() => rulesWith(rules)).toThrow(`florin.threeds.v1.ChallengeService/CreateChallenge: ${problem}`);
  });

  it('may name a key within a message', () => {
    expect(rulesWith({ access: 'service', scope, key: 'merchant.id' })?.key).toBe('merchant.id');
  });
});

describe('a request', () => {
  const challenge = { reference: 'r', cardId: ID, amount: '1', currency: 'EUR', decimals: 2 };

  it('is accepted when it keeps the rules of its contract', () => {
    expect(judged(CreateChallengeRequestSchema, challenge)).toBe('');
  });

  it.each<[string, string]>([
    [judged(GetChallengeRequestSchema, {}), 'challenge_id: must be a UUID'],
    [judged(GetChallengeRequestSchema, { challengeId: ID.replace('-7', '-9') }), 'challenge_id: must be a UUID'],
    [judged(GetRaisedChallengeRequestSchema, {}), 'key: must be set to one of its fields'],
    [judged(GetRaisedChallengeRequestSchema, { key: { case: 'challengeId', value: 'x' } }), 'challenge_id: must be a UUID'],
    [judged(GetRaisedChallengeRequestSchema, { key: { case: 'reference', value: '' } }), 'reference: must not be empty'],
    [judged(CountChallengesRequestSchema, {}), 'since: is required'],
    [judged(CountChallengesRequestSchema, { since: { seconds: 10n ** 15n } }), 'since: must be a time'],
    [judged(IssueDecisionChallengeRequestSchema, { challengeId: ID }), 'decision: must be one of approve, decline'],
    [judged(IssueDecisionChallengeRequestSchema, { challengeId: ID, decision: 7 as never }), 'decision: must be one of approve, decline'],
    [judged(FindChallengesRequestSchema, { reference: 'r', limit: 101 }), 'limit: must be at least 0 and at most 100'],
    [judged(FindChallengesRequestSchema, { reference: 'r'.repeat(101) }), 'reference: must have at most 100 characters'],
    [judged(FindChallengesRequestSchema, { reference: 'a\nb' }), 'reference: must be printable characters'],
    [judged(PageRequestSchema, { cursor: 'x'.repeat(65) }), 'cursor: must have at most 64 characters'],
    [judged(ExpireRequestSchema, {}), 'event: is required'],
    [
      judged(CreateChallengeRequestSchema, { ...challenge, amount: '007' }),
      'amount: must be a positive integer in the smallest unit, without sign, point or leading zeros',
    ],
    [judged(CreateChallengeRequestSchema, { ...challenge, currency: 'XAU' }), 'currency: must be an active ISO 4217 code'],
    [
      judged(CreateChallengeRequestSchema, { ...challenge, merchant: { displayName: '\u0301x' } }),
      'merchant.display_name: must begin with a visible character',
    ],
    [
      judged(CreateChallengeRequestSchema, { ...challenge, merchant: { country: 'de' } }),
      'merchant.country: must be an ISO 3166-1 alpha-2 code',
    ],
  ])('is rejected: %s', (problem, expected) => {
    expect(problem).toBe(expected);
  });

  it('is rejected for each of its fields, at most ten, and without their values', () => {
    const uses = { challengeId: 'secret', cardId: 'secret', paymentId: 'secret', amount: 'secret', currency: 'secret' };
    const problem = judged(ConsumeAuthenticationRequestSchema, { ...uses, requestId: 'r', decidedRequestIds: Array(20).fill('a b') });
    expect(problem.split('; ')).toHaveLength(10);
    expect(problem).toContain('decided_request_ids[0]: must be printable ASCII characters without spaces');
    expect(problem).not.toContain('secret');
  });

  it('reaches its handler in canonical spelling', () => {
    const request = create(CreateChallengeRequestSchema, {
      ...challenge,
      cardId: ID.toUpperCase(),
      merchant: { displayName: ' A   shop ' },
    });
    requestJudge(CreateChallengeRequestSchema)(request);
    expect(request).toMatchObject({ cardId: ID, merchant: { displayName: 'A shop' } });
    const raised = create(GetRaisedChallengeRequestSchema, { key: { case: 'challengeId', value: ID.toUpperCase() } });
    requestJudge(GetRaisedChallengeRequestSchema)(raised);
    expect(raised.key.value).toBe(ID);
  });
});

describe('requireFields', () => {
  it('rejects a request with the problems of its fields', () => {
    expect(() => requireFields({ from: undefined, to: undefined })).not.toThrow();
    expect(() => requireFields({ from: undefined, to: 'must not be before from' })).toThrow('to: must not be before from');
  });
});

describe('the words of an enum', () => {
  it('are the names of its values', () => {
    const words = createWords(WireDecision);
    expect([words.toWord(WireDecision.DECLINE), words.toWord(0), words.toWord(9 as never)]).toEqual(['decline', undefined, undefined]);
    expect(words.all).toEqual(['approve', 'decline']);
    expect([words.toValue('approve'), words.toValue(undefined)]).toEqual([WireDecision.APPROVE, 0]);
  });
});
