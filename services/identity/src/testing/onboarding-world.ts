import { randomUUID } from 'node:crypto';
import { signDelivery } from '@florin/rpc/testing';
import { as, createWorld, newUser } from './world.ts';

export const SECRET = 'secret of the KYC provider';
export const TERMS = [
  { type: 'general', name: 'General', url: 'https://terms.example.org/general', version: '1' },
  { type: 'card', name: 'Card', url: 'https://terms.example.org/card', version: '2026-03' },
];
export const QUESTIONS = [
  { question: 'From where?', answers: ['Work', 'Luck'] },
  { question: 'How much?', answers: ['Little', 'Much'] },
];
export const ANSWERS = [
  { question: 'From where?', answer: 'Work' },
  { question: 'How much?', answer: 'Little' },
];
export const ACCEPTED = TERMS.map(({ type, version }) => ({ type, version }));

export type Person = Awaited<ReturnType<typeof newUser>> & { profileId: string };

/** A world with ONBOARDING=kyc, and the steps of a user through it. */
export const createOnboardingWorld = async () => {
  const world = await createWorld({
    ONBOARDING: 'kyc',
    TERMS: JSON.stringify(TERMS),
    SOURCE_OF_FUNDS: JSON.stringify(QUESTIONS),
    KYC_WEBHOOK_SECRET: SECRET,
  });
  const clients = world.clientsOf((await world.start()).url);
  const newPerson = async (): Promise<Person> => {
    const user = await newUser(clients);
    const { profileId } = await clients.kyc.getKyc({}, as(user.userToken));
    return { ...user, profileId };
  };
  const accountEntryOf = ({ userId }: Person) => [...world.ledger.accounts].find(([, account]) => account.userId === userId);
  return {
    world,
    clients,
    newPerson,
    accountOf: (person: Person) => accountEntryOf(person)?.[1],
    accountIdOf: (person: Person) => accountEntryOf(person)?.[0] ?? '',
    statusOf: async ({ userToken }: Person, at = clients) => (await at.onboarding.getOnboarding({}, as(userToken))).status,
    kycOf: async ({ userToken }: Person) => (await clients.kyc.getKyc({}, as(userToken))).status,
    accept: ({ userToken }: Person, terms = ACCEPTED, at = clients) => at.terms.acceptTerms({ terms, ip: '203.0.113.7' }, as(userToken)),
    explain: ({ userToken }: Person, answers = ANSWERS, at = clients) => at.funds.submitSourceOfFunds({ answers }, as(userToken)),
    /** An event in the format of the provider. */
    event: ({ profileId }: Person, sequence: number, status: string, id: string = randomUUID()) => ({ id, profileId, sequence, status }),
    deliver: (event: object | string, options: { secret?: string; at?: Date; signature?: string } = {}) => {
      const body = new TextEncoder().encode(typeof event === 'string' ? event : JSON.stringify(event));
      const { secret = SECRET, at = world.clock.now() } = options;
      return clients.kyc.receiveEvent({ body, signature: options.signature ?? signDelivery(body, at, secret) });
    },
  };
};
