import { afterAll, describe, expect, it } from 'vitest';
import { ANSWERS, createOnboardingWorld, QUESTIONS } from '../testing/onboarding-world.ts';
import { as, signIn } from '../testing/world.ts';

const { world, clients, newPerson, explain } = await createOnboardingWorld();
afterAll(() => world.close());

describe('source of funds', () => {
  it('stores each different set of answers as a version', async () => {
    const person = await newPerson();
    const read = () => clients.funds.getSourceOfFunds({}, as(person.userToken));
    expect(await read()).toMatchObject({ questions: QUESTIONS, answers: [], complete: false });
    await explain(person);
    await explain(person, [...ANSWERS].reverse());
    expect(await read()).toMatchObject({ answers: ANSWERS, complete: true });
    const changed = [{ question: 'From where?', answer: 'Luck' }, ...ANSWERS.slice(1)];
    await Promise.all(Array.from({ length: 5 }, () => explain(person, changed)));
    expect(await read()).toMatchObject({ answers: changed, complete: true });
    const stored = await world.collection('funds_answers').find({ userId: person.userId }).sort({ version: 1 }).toArray();
    expect(stored).toMatchObject([
      { version: 1, answers: ANSWERS },
      { version: 2, answers: changed },
    ]);
  });

  it('adds at most ten versions a day, also under concurrent calls', async () => {
    const person = await newPerson();
    const answersOf = (index: number) => [{ question: 'From where?', answer: index % 2 === 0 ? 'Work' : 'Luck' }, ...ANSWERS.slice(1)];
    for (let index = 0; index < 8; index += 1) await explain(person, answersOf(index));
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => explain(person, answersOf(index))));
    for (const result of results) {
      if (result.status === 'rejected') expect(['RATE_LIMITED', 'SERVICE_UNAVAILABLE']).toContain(result.reason.code);
    }
    let next = 0;
    const fill = async () => {
      for (;;) {
        next += 1;
        await explain(person, answersOf(next));
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'RATE_LIMITED', metadata: { retryAfterSeconds: '86400' } });
    expect(await world.collection('funds_answers').countDocuments({ userId: person.userId })).toBe(10);
    world.clock.advanceSeconds(86_400);
    const { accessToken } = await signIn(clients, person.wallet);
    await explain({ ...person, userToken: accessToken }, answersOf(next));
    expect(await world.collection('funds_answers').countDocuments({ userId: person.userId })).toBe(11);
  });

  it.each([
    ['an unknown question', [...ANSWERS, { question: 'Why?', answer: 'So' }], 'answers[2].question: '],
    ['an answer that is not allowed', [{ question: 'From where?', answer: 'Theft' }], 'answers[0].answer: '],
    ['a missing answer', ANSWERS.slice(1), 'answers: '],
    ['an answer that is too long', [{ question: 'From where?', answer: 'x'.repeat(201) }], 'answers[0].answer: '],
    ['too many answers', Array.from({ length: 31 }, () => ({ question: 'q', answer: 'a' })), 'answers: '],
  ])('rejects %s', async (_what, answers, message) => {
    const person = await newPerson();
    await expect(explain(person, answers)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining(message),
    });
    expect(await world.collection('funds_answers').countDocuments({ userId: person.userId })).toBe(0);
  });
});
