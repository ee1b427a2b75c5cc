import { signDelivery } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { isGenuineDelivery } from './delivery-signature.ts';
import { awaitsPerson, judgeKycEvent, type KycState, kycEventSchema, leadsTo } from './kyc.ts';
import { accountAction, onboardingStatus } from './onboarding.ts';
import { checkAnswers, coversQuestions, DEFAULT_QUESTIONS, questionsSchema } from './source-of-funds.ts';
import { areAccepted, SANDBOX_TERMS, termStates, termsSchema } from './terms.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

describe('identity checks', () => {
  const STATES = ['not_started', 'documents_requested', 'pending', 'in_review', 'resubmission_requested', 'approved', 'rejected'] as const;

  // Rows are from, columns to, in the order of STATES; x marks a state that can be reached.
  it.each<[KycState, string]>([
    ['not_started', '.xxxxxx'],
    ['documents_requested', '..xxxxx'],
    ['pending', '...xxxx'],
    ['in_review', '...xxxx'],
    ['resubmission_requested', '...xxxx'],
    ['approved', '...xxxx'],
    ['rejected', '.......'],
  ])('%s leads to %s', (from, row) => {
    expect(STATES.map((to) => (leadsTo(from, to) ? 'x' : '.')).join('')).toBe(row);
  });

  it.each<[string, KycState, number, string, number, KycState, ReturnType<typeof judgeKycEvent>]>([
    ['a first event', 'not_started', 0, 'e1', 1, 'documents_requested', 'moves'],
    ['skipped steps', 'not_started', 0, 'e9', 9, 'approved', 'moves'],
    ['the same sequence', 'pending', 3, 'e4', 3, 'approved', 'stale'],
    ['an older sequence', 'in_review', 4, 'e3', 3, 'pending', 'stale'],
    ['a known event id with another sequence', 'pending', 3, 'seen', 4, 'approved', 'stale'],
    ['the current state', 'in_review', 3, 'e4', 4, 'in_review', 'noted'],
    ['an earlier state', 'approved', 4, 'e5', 5, 'pending', 'noted'],
    ['a new review of an approved user', 'approved', 4, 'e5', 5, 'in_review', 'moves'],
    ['a rejection of an approved user', 'approved', 4, 'e5', 5, 'rejected', 'moves'],
    ['another verdict', 'rejected', 4, 'e5', 5, 'approved', 'noted'],
    ['documents submitted again', 'resubmission_requested', 4, 'e5', 5, 'in_review', 'moves'],
  ])('%s', (_what, state, sequence, id, eventSequence, to, verdict) => {
    const event = { id, profileId: '01890a5d-ac96-774b-bcce-b302099a8057', sequence: eventSequence, state: to };
    expect(judgeKycEvent({ state, sequence, eventIds: ['seen'] }, event)).toBe(verdict);
  });

  it('wait for the user before the start and when documents are requested again', () => {
    expect(STATES.filter(awaitsPerson)).toEqual(['not_started', 'documents_requested', 'resubmission_requested']);
  });

  const event = { id: 'e', profileId: '01890A5D-AC96-774B-BCCE-B302099A8057', sequence: 1, status: 'approved' };

  it('are parsed from events of the provider', () => {
    expect(kycEventSchema.parse({ ...event, more: { things: 1 } })).toEqual({
      id: 'e',
      profileId: event.profileId.toLowerCase(),
      sequence: 1,
      state: 'approved',
    });
  });

  it.each([
    ['a state that no event reports', { status: 'not_started' }],
    ['an unknown state', { status: 'APPROVED' }],
    ['no sequence', { sequence: undefined }],
    ['a sequence of 0', { sequence: 0 }],
    ['a sequence that is no integer', { sequence: 1.5 }],
    ['a sequence that is not a safe integer', { sequence: 2 ** 53 }],
    ['an id that is too long', { id: 'x'.repeat(129) }],
    ['an invalid profile id', { profileId: 'x' }],
  ])('reject an event with %s', (_what, change) => {
    expect(kycEventSchema.safeParse({ ...event, ...change }).success).toBe(false);
  });
});

describe('signatures of deliveries', () => {
  const SECRET = 'a secret of the provider';
  const body = new TextEncoder().encode('{"id":"é"}');
  const good = signDelivery(body, NOW, SECRET);
  const [time = '', signature = ''] = good.split(',');

  it.each([
    ['the right signature', good, 0, true],
    ['five minutes old', good, 300, true],
    ['older', good, 301, false],
    ['five minutes ahead', good, -300, true],
    ['further ahead', good, -301, false],
    ['two secrets, ours first', signDelivery(body, NOW, SECRET, 'the next one'), 0, true],
    ['two secrets, ours last', signDelivery(body, NOW, 'the next one', SECRET), 0, true],
    ['another secret', signDelivery(body, NOW, 'another'), 0, false],
    ['another body', signDelivery('{"id":"e"}', NOW, SECRET), 0, false],
    ['white space between the parts', `${time}, ${signature}`, 0, true],
    ['unknown parts', `${good},v0=1,x`, 0, true],
    ['another time', `t=${Math.floor(NOW.getTime() / 1000) + 1},${signature}`, 0, false],
    ['two times', `${good},${time}`, 0, false],
    ['no time', signature, 0, false],
    ['no signature', time, 0, false],
    ['half a signature', good.slice(0, -2), 0, false],
    ['upper case', good.toUpperCase(), 0, false],
    ['six signatures', [time, ...Array.from({ length: 6 }, () => signature)].join(), 0, false],
    ['a header that is too long', `${good},${'x'.repeat(1024)}`, 0, false],
    ['nothing', '', 0, false],
  ])('%s', (_what, header, seconds, genuine) => {
    expect(isGenuineDelivery({ body, header }, SECRET, later(seconds))).toBe(genuine);
  });
});

describe('onboardingStatus', () => {
  const done = { termsAccepted: true, kyc: 'approved', kycRevoked: false, fundsExplained: true } as const;
  it.each([
    ['nothing done', { ...done, termsAccepted: false, kyc: 'not_started', fundsExplained: false }, true, 'action_accept_tos'],
    ['terms missing', { ...done, termsAccepted: false }, true, 'action_accept_tos'],
    ['new terms on an active account', { ...done, termsAccepted: false }, false, 'action_accept_tos'],
    ['check not started', { ...done, kyc: 'not_started' }, true, 'action_complete_kyc'],
    ['documents missing', { ...done, kyc: 'documents_requested' }, true, 'action_complete_kyc'],
    ['automatic checks', { ...done, kyc: 'pending' }, true, 'kyc_in_review'],
    ['manual review', { ...done, kyc: 'in_review' }, true, 'kyc_in_review'],
    ['documents again', { ...done, kyc: 'resubmission_requested' }, true, 'action_kyc_resubmission'],
    ['check before funds', { ...done, kyc: 'pending', fundsExplained: false }, true, 'kyc_in_review'],
    ['funds missing', { ...done, fundsExplained: false }, true, 'action_complete_sof'],
    ['rejected', { ...done, kyc: 'rejected' }, true, 'rejected'],
    ['rejected, nothing else done', { ...done, termsAccepted: false, kyc: 'rejected', fundsExplained: false }, true, 'rejected'],
    ['approval taken back, new terms', { ...done, termsAccepted: false, kyc: 'in_review', kycRevoked: true }, false, 'kyc_in_review'],
    ['all done, account waits', done, true, 'account_provisioning'],
    ['all done', done, false, 'completed'],
  ] as const)('kyc: %s', (_what, progress, accountWaits, status) => {
    expect(onboardingStatus('kyc', progress, accountWaits)).toBe(status);
  });

  it.each([
    [false, 'completed'],
    [true, 'account_provisioning'],
  ] as const)('open: requires nothing (account waits: %s)', (accountWaits, status) => {
    const progress = { termsAccepted: false, kyc: 'in_review', kycRevoked: false, fundsExplained: false } as const;
    expect(onboardingStatus('open', progress, accountWaits)).toBe(status);
  });

  it.each(['open', 'kyc'] as const)('%s: blocks the account of a barred user only', (mode) => {
    expect(accountAction(mode, done)).toBe('activate');
    expect(accountAction(mode, { ...done, kyc: 'rejected' })).toBe('block');
    expect(accountAction(mode, { ...done, kyc: 'in_review', kycRevoked: true })).toBe('block');
    expect(accountAction(mode, { ...done, kyc: 'in_review' })).toBe(mode === 'open' ? 'activate' : 'leave');
    expect(accountAction(mode, { ...done, termsAccepted: false })).toBe(mode === 'open' ? 'activate' : 'leave');
  });
});

describe('terms', () => {
  const acceptance = (type: string, version: string, at: Date) => ({ userId: 'u', type, version, acceptedAt: at });

  it('are accepted in their current version only', () => {
    const terms = SANDBOX_TERMS.map((term) => ({ ...term, version: '2' }));
    const states = termStates(terms, [acceptance('general', '1', NOW), acceptance('card', '1', NOW), acceptance('card', '2', later(1))]);
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

  it('are accepted when their current version is an older one that the user accepted', () => {
    const [general] = SANDBOX_TERMS;
    const states = termStates(general === undefined ? [] : [general], [
      acceptance('general', '1', NOW),
      acceptance('general', '2', later(1)),
    ]);
    expect(states).toMatchObject([{ accepted: true, last: { version: '1' } }]);
  });

  it.each([
    ['a type with a colon', { type: 'a:b' }],
    ['a version with a colon', { version: '1:2' }],
    ['no URL', { url: '' }],
    ['a URL that is not http', { url: 'ftp://florin.example' }],
  ])('are rejected with %s', (_what, change) => {
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
    ['an unknown question', [{ question: 'Why?', answer: 'Luck' }, ...all], 'answers[0].question: is not one of the questions'],
    [
      'an answer that is not allowed',
      [...all.slice(0, 1), { question: 'From where?', answer: 'Little' }],
      'answers[1].answer: is not one of the allowed answers',
    ],
    ['a question answered twice', [...all, ...all], 'answers[2].question: is answered twice'],
    ['a question left out', all.slice(1), 'answers: every question must be answered'],
    ['nothing', [], 'answers: every question must be answered'],
  ])('is not explained with %s', (_what, answers, problem) => {
    expect(checkAnswers(questions, answers)).toEqual({ problem });
  });

  it('must be explained again when the questions change', () => {
    expect(coversQuestions(questions, all)).toBe(true);
    expect(coversQuestions([...questions, { question: 'Why?', answers: ['So'] }], all)).toBe(false);
    expect(coversQuestions([{ question: 'How much?', answers: ['Much'] }], all)).toBe(false);
    expect(coversQuestions(questions.slice(1), all)).toBe(true);
  });

  it.each([
    ['no answers', [{ question: 'Q', answers: [] }]],
    ['an answer twice', [{ question: 'Q', answers: ['a', 'a'] }]],
    ['a question twice', [questions[0], questions[0]]],
    ['an empty question', [{ question: '', answers: ['a'] }]],
  ])('rejects questions with %s', (_what, value) => {
    expect(questionsSchema.safeParse(value).success).toBe(false);
    expect(questionsSchema.safeParse(DEFAULT_QUESTIONS).success).toBe(true);
  });
});
