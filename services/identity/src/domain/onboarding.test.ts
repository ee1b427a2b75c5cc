import { signDelivery } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { isGenuineDelivery } from './delivery-signature.ts';
import { awaitsPerson, judgeKycEvent, type KycState, kycEventSchema, leadsTo } from './kyc.ts';
import { onboardingStatus } from './onboarding.ts';
import { answerAll, checkAnswers, DEFAULT_QUESTIONS, questionsSchema } from './source-of-funds.ts';
import { areAccepted, SANDBOX_TERMS, termStates, termsSchema } from './terms.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

describe('identity checks', () => {
  const STATES = ['NOT_STARTED', 'DOCUMENTS_REQUESTED', 'PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUESTED', 'APPROVED', 'REJECTED'] as const;

  // Rows: from; columns: to, in the order of STATES. One sign each: x leads there.
  it.each<[KycState, string]>([
    ['NOT_STARTED', '.xxxxxx'],
    ['DOCUMENTS_REQUESTED', '..xxxxx'],
    ['PENDING', '...xxxx'],
    ['IN_REVIEW', '...xxxx'],
    ['RESUBMISSION_REQUESTED', '...xxxx'],
    ['APPROVED', '.......'],
    ['REJECTED', '.......'],
  ])('%s leads to %s', (from, row) => {
    expect(STATES.map((to) => (leadsTo(from, to) ? 'x' : '.')).join('')).toBe(row);
  });

  it.each<[string, KycState, number, string, number, KycState, ReturnType<typeof judgeKycEvent>]>([
    ['a first event', 'NOT_STARTED', 0, 'e1', 1, 'DOCUMENTS_REQUESTED', 'moves'],
    ['steps left out', 'NOT_STARTED', 0, 'e9', 9, 'APPROVED', 'moves'],
    ['the same sequence', 'PENDING', 3, 'e4', 3, 'APPROVED', 'stale'],
    ['an older sequence', 'IN_REVIEW', 4, 'e3', 3, 'PENDING', 'stale'],
    ['an event that was seen, under another sequence', 'PENDING', 3, 'seen', 4, 'APPROVED', 'stale'],
    ['the state that stands', 'IN_REVIEW', 3, 'e4', 4, 'IN_REVIEW', 'noted'],
    ['a way back', 'APPROVED', 4, 'e5', 5, 'IN_REVIEW', 'noted'],
    ['another verdict', 'REJECTED', 4, 'e5', 5, 'APPROVED', 'noted'],
    ['documents handed in again', 'RESUBMISSION_REQUESTED', 4, 'e5', 5, 'IN_REVIEW', 'moves'],
  ])('%s', (_what, state, sequence, id, eventSequence, to, verdict) => {
    const event = { id, profileId: '01890a5d-ac96-774b-bcce-b302099a8057', sequence: eventSequence, state: to };
    expect(judgeKycEvent({ state, sequence, eventIds: ['seen'] }, event)).toBe(verdict);
  });

  it('wait for the person before, and when documents are wanted again', () => {
    expect(STATES.filter(awaitsPerson)).toEqual(['NOT_STARTED', 'DOCUMENTS_REQUESTED', 'RESUBMISSION_REQUESTED']);
  });

  const event = { id: 'e', profileId: '01890A5D-AC96-774B-BCCE-B302099A8057', sequence: 1, status: 'approved' };

  it('are told of in the words of the provider', () => {
    expect(kycEventSchema.parse({ ...event, more: { things: 1 } })).toEqual({
      id: 'e',
      profileId: event.profileId.toLowerCase(),
      sequence: 1,
      state: 'APPROVED',
    });
  });

  it.each([
    ['a state that nothing leads to', { status: 'not_started' }],
    ['an unknown state', { status: 'APPROVED' }],
    ['no sequence', { sequence: undefined }],
    ['a sequence of 0', { sequence: 0 }],
    ['a sequence that is no integer', { sequence: 1.5 }],
    ['a sequence beyond counting', { sequence: 2 ** 53 }],
    ['an id without end', { id: 'x'.repeat(129) }],
    ['a profile that is none', { profileId: 'x' }],
  ])('are not understood with %s', (_what, change) => {
    expect(kycEventSchema.safeParse({ ...event, ...change }).success).toBe(false);
  });
});

describe('signatures of deliveries', () => {
  const SECRET = 'a secret of the provider';
  const body = new TextEncoder().encode('{"id":"é"}');
  const good = signDelivery(body, NOW, SECRET);
  const [time = '', signature = ''] = good.split(',');

  it.each([
    ['its own', good, 0, true],
    ['five minutes old', good, 300, true],
    ['older', good, 301, false],
    ['five minutes ahead', good, -300, true],
    ['further ahead', good, -301, false],
    ['two secrets, ours first', signDelivery(body, NOW, SECRET, 'the next one'), 0, true],
    ['two secrets, ours last', signDelivery(body, NOW, 'the next one', SECRET), 0, true],
    ['another secret', signDelivery(body, NOW, 'another'), 0, false],
    ['another body', signDelivery('{"id":"e"}', NOW, SECRET), 0, false],
    ['blanks between', `${time}, ${signature}`, 0, true],
    ['unknown parts', `${good},v0=1,x`, 0, true],
    ['another time', `t=${Math.floor(NOW.getTime() / 1000) + 1},${signature}`, 0, false],
    ['two times', `${good},${time}`, 0, false],
    ['no time', signature, 0, false],
    ['no signature', time, 0, false],
    ['half a signature', good.slice(0, -2), 0, false],
    ['capitals', good.toUpperCase(), 0, false],
    ['six signatures', [time, ...Array.from({ length: 6 }, () => signature)].join(), 0, false],
    ['a header without end', `${good},${'x'.repeat(1024)}`, 0, false],
    ['nothing', '', 0, false],
  ])('%s', (_what, header, seconds, genuine) => {
    expect(isGenuineDelivery({ body, header }, SECRET, after(seconds))).toBe(genuine);
  });
});

describe('onboardingStatus', () => {
  const done = { termsAccepted: true, kyc: 'APPROVED', fundsExplained: true } as const;
  it.each([
    ['nothing done', { termsAccepted: false, kyc: 'NOT_STARTED', fundsExplained: false }, true, 'ACTION_ACCEPT_TOS'],
    ['terms missing', { ...done, termsAccepted: false }, true, 'ACTION_ACCEPT_TOS'],
    ['new terms on an active account', { ...done, termsAccepted: false }, false, 'ACTION_ACCEPT_TOS'],
    ['check not begun', { ...done, kyc: 'NOT_STARTED' }, true, 'ACTION_COMPLETE_KYC'],
    ['documents missing', { ...done, kyc: 'DOCUMENTS_REQUESTED' }, true, 'ACTION_COMPLETE_KYC'],
    ['automatic checks', { ...done, kyc: 'PENDING' }, true, 'KYC_IN_REVIEW'],
    ['somebody looks', { ...done, kyc: 'IN_REVIEW' }, true, 'KYC_IN_REVIEW'],
    ['documents again', { ...done, kyc: 'RESUBMISSION_REQUESTED' }, true, 'ACTION_KYC_RESUBMISSION'],
    ['check before funds', { ...done, kyc: 'PENDING', fundsExplained: false }, true, 'KYC_IN_REVIEW'],
    ['funds missing', { ...done, fundsExplained: false }, true, 'ACTION_COMPLETE_SOF'],
    ['rejected', { ...done, kyc: 'REJECTED' }, true, 'REJECTED'],
    ['rejected, nothing else done', { termsAccepted: false, kyc: 'REJECTED', fundsExplained: false }, true, 'REJECTED'],
    ['all done, account waits', done, true, 'ACCOUNT_PROVISIONING'],
    ['all done', done, false, 'COMPLETED'],
  ] as const)('kyc: %s', (_what, progress, accountWaits, status) => {
    expect(onboardingStatus('kyc', progress, accountWaits)).toBe(status);
  });

  it.each([
    [false, 'COMPLETED'],
    [true, 'ACCOUNT_PROVISIONING'],
  ] as const)('open: nothing is required (account waits: %s)', (accountWaits, status) => {
    expect(onboardingStatus('open', { termsAccepted: false, kyc: 'REJECTED', fundsExplained: false }, accountWaits)).toBe(status);
  });
});

describe('terms', () => {
  const acceptance = (type: string, version: string, at: Date) => ({ userId: 'u', type, version, acceptedAt: at });

  it('are accepted in their current version only', () => {
    const terms = SANDBOX_TERMS.map((term) => ({ ...term, version: '2' }));
    const states = termStates(terms, [acceptance('general', '1', NOW), acceptance('card', '1', NOW), acceptance('card', '2', after(1))]);
    expect(states.map(({ term, accepted, last }) => [term.type, accepted, last?.version])).toEqual([
      ['general', false, '1'],
      ['card', true, '2'],
      ['privacy', false, undefined],
    ]);
    expect(areAccepted(states)).toBe(false);
    expect(
      areAccepted(
        termStates(
          terms,
          terms.map(({ type }) => acceptance(type, '2', NOW)),
        ),
      ),
    ).toBe(true);
    expect(areAccepted(termStates([], []))).toBe(true);
  });

  it('that went back to an older version are accepted by whoever had accepted it', () => {
    const [general] = SANDBOX_TERMS;
    const states = termStates(general === undefined ? [] : [general], [
      acceptance('general', '1', NOW),
      acceptance('general', '2', after(1)),
    ]);
    expect(states).toMatchObject([{ accepted: true, last: { version: '1' } }]);
  });

  it.each([
    ['a type with a colon', { type: 'a:b' }],
    ['a version with a colon', { version: '1:2' }],
    ['no address', { url: '' }],
    ['an address that no browser opens', { url: 'ftp://florin.example' }],
  ])('with %s are refused', (_what, change) => {
    expect(termsSchema.safeParse([{ ...SANDBOX_TERMS[0], ...change }]).success).toBe(false);
    expect(termsSchema.safeParse([SANDBOX_TERMS[0], SANDBOX_TERMS[0]]).success).toBe(false);
    expect(termsSchema.safeParse(SANDBOX_TERMS).success).toBe(true);
  });
});

describe('source of funds', () => {
  const questions = questionsSchema.parse([
    { question: 'From where?', answers: ['Work', 'Luck'] },
    { question: 'How much?', answers: ['Little'] },
  ]);
  const all = [
    { question: 'How much?', answer: 'Little' },
    { question: 'From where?', answer: 'Luck' },
  ];

  it('is explained by one allowed answer to each question, in any order', () => {
    expect(checkAnswers(questions, all)).toEqual({ answers: [...all].reverse() });
    expect(checkAnswers([], [])).toEqual({ answers: [] });
  });

  it.each([
    ['an unknown question', [{ question: 'Why?', answer: 'Luck' }, ...all], 'answers.0.question: is not asked'],
    [
      'an answer that is not allowed',
      [...all.slice(0, 1), { question: 'From where?', answer: 'Little' }],
      'answers.1.answer: is not allowed',
    ],
    ['a question answered twice', [...all, ...all], 'answers.2.question: is answered twice'],
    ['a question left out', all.slice(1), 'answers: every question has to be answered'],
    ['nothing', [], 'answers: every question has to be answered'],
  ])('is not with %s', (_what, answers, problem) => {
    expect(checkAnswers(questions, answers)).toEqual({ problem });
  });

  it('has to be explained again when something else is asked', () => {
    expect(answerAll(questions, all)).toBe(true);
    expect(answerAll([...questions, { question: 'Why?', answers: ['So'] }], all)).toBe(false);
    expect(answerAll([{ question: 'How much?', answers: ['Much'] }], all)).toBe(false);
    expect(answerAll(questions.slice(1), all)).toBe(true);
  });

  it.each([
    ['no answers', [{ question: 'Q', answers: [] }]],
    ['an answer twice', [{ question: 'Q', answers: ['a', 'a'] }]],
    ['a question twice', [questions[0], questions[0]]],
    ['an empty question', [{ question: '', answers: ['a'] }]],
  ])('is not asked with %s', (_what, value) => {
    expect(questionsSchema.safeParse(value).success).toBe(false);
    expect(questionsSchema.safeParse(DEFAULT_QUESTIONS).success).toBe(true);
  });
});
