import { afterAll, describe, expect, it } from 'vitest';
import { ACCEPTED, createOnboardingWorld, TERMS } from '../testing/onboarding-world.ts';
import { as } from '../testing/world.ts';

const { world, clients, newPerson, accept } = await createOnboardingWorld();
afterAll(() => world.close());

describe('terms', () => {
  it('are listed publicly, and with their acceptances for a user', async () => {
    const terms = TERMS.map(({ version, ...term }) => expect.objectContaining({ ...term, currentVersion: version }));
    expect((await clients.terms.listTerms({})).terms).toEqual(terms);
    const person = await newPerson();
    const before = await clients.terms.listUserTerms({}, as(person.userToken));
    expect(
      before.terms.map(({ term, accepted, acceptedVersion, acceptedAt }) => [term?.type, accepted, acceptedVersion, acceptedAt]),
    ).toEqual([
      ['general', false, '', undefined],
      ['card', false, '', undefined],
    ]);
    await accept(person, ACCEPTED.slice(1));
    const after = await clients.terms.listUserTerms({}, as(person.userToken));
    expect(after.terms.map(({ accepted, acceptedVersion }) => [accepted, acceptedVersion])).toEqual([
      [false, ''],
      [true, '2026-03'],
    ]);
    const other = await newPerson();
    expect((await clients.terms.listUserTerms({}, as(other.userToken))).terms.map(({ accepted }) => accepted)).toEqual([false, false]);
  });

  it('keep the time and the IP address of the first acceptance', async () => {
    const person = await newPerson();
    await accept(person);
    const first = await clients.terms.listUserTerms({}, as(person.userToken));
    world.clock.advanceSeconds(60);
    await Promise.all([accept(person), accept(person)]);
    expect(await clients.terms.listUserTerms({}, as(person.userToken))).toEqual(first);
    const stored = await world.collection('term_acceptances').find({ userId: person.userId }).toArray();
    expect(stored).toHaveLength(2);
    expect(world.readField('term_acceptances', stored[0], 'ip')).toBe('203.0.113.7');
  });

  it.each([
    ['an unknown document', [...ACCEPTED, { type: 'other', version: '1' }], 'TERMS_VERSION_INVALID'],
    ['an old version', [{ type: 'general', version: '0' }], 'TERMS_VERSION_INVALID'],
    ['a version of another document', [{ type: 'general', version: '2026-03' }], 'TERMS_VERSION_INVALID'],
    ['a name of an object', [{ type: '__proto__', version: '1' }], 'TERMS_VERSION_INVALID'],
    ['an empty list', [], 'VALIDATION_FAILED'],
    ['too many', Array.from({ length: 21 }, () => ({ type: 'general', version: '1' })), 'VALIDATION_FAILED'],
    ['a name that is too long', [{ type: 'x'.repeat(41), version: '1' }], 'VALIDATION_FAILED'],
  ])('reject %s and record nothing', async (_what, terms, code) => {
    const person = await newPerson();
    await expect(accept(person, terms)).rejects.toMatchObject({ code });
    expect(await world.collection('term_acceptances').countDocuments({ userId: person.userId })).toBe(0);
  });
});
