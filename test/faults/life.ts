import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../support/api-client.ts';
import { CodedAnswerError } from '../support/coded-answer-error.ts';
import {
  type ChallengeDetail,
  createCard,
  decide,
  newWallet,
  type Person,
  raiseChallenge,
  requestEmailCode,
  signIn,
} from '../support/story.ts';

/** What one person was told to be done. Everything here was acknowledged with a 200. */
export type Life = {
  person: Person;
  cards: string[];
  /** Hash → amount in the token's smallest unit. */
  deposits: Map<string, bigint>;
  withdrawals: Map<string, bigint>;
  /** Challenge → the decision that was accepted. */
  decisions: Map<string, 'approve' | 'decline'>;
};

const isCode = (error: unknown, code: string): boolean => error instanceof CodedAnswerError && error.code === code;

/** Signs in until it works: a nonce that was spent by an answer that got lost is no harm, the next one will do. */
const signInSurely = async (api: ApiClient, wallet: Person['wallet']) => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await signIn(api, wallet);
    } catch (error) {
      if (attempt >= 20 || !(error instanceof CodedAnswerError) || error.status !== 401) throw error;
    }
  }
};

/** Registers; when the answer of a completed registration got lost, signing in again tells the user. */
const registerSurely = async (api: ApiClient, wallet = newWallet()): Promise<Person | undefined> => {
  const tokens = await signInSurely(api, wallet);
  const email = `faults-${randomUUID()}@example.org`;
  try {
    const otp = await requestEmailCode(api, tokens.accessToken, email);
    await api.call('POST', '/user', { token: tokens.accessToken, body: { email, otp } });
  } catch (error) {
    // Codes live in Redis alone: a killed one may forget the last second. Such a person was never told to be registered.
    const codeIsLost =
      isCode(error, 'INVALID_OTP') || isCode(error, 'OTP_EXPIRED') || isCode(error, 'RATE_LIMITED') || !(error instanceof CodedAnswerError);
    if (codeIsLost) return undefined;
    if (!isCode(error, 'USER_ALREADY_EXISTS') && !isCode(error, 'USER_REGISTRATION_IN_PROGRESS')) throw error;
  }
  const { accessToken, refreshToken, userId } = await signInSurely(api, wallet);
  if (userId === undefined) return undefined;
  return { wallet, email, userId, token: accessToken, refreshToken };
};

/** One turn of the story: registers, orders cards, moves money, decides payments, and keeps what was acknowledged. */
export const live = async (api: ApiClient): Promise<Life | undefined> => {
  const person = await registerSurely(api);
  if (person === undefined) return undefined;
  const { token } = person;
  const life: Life = { person, cards: [], deposits: new Map(), withdrawals: new Map(), decisions: new Map() };

  const firstCard = await createCard(api, token);
  life.cards.push(firstCard, await createCard(api, token, { cardName: 'Second' }));

  for (const amount of ['5000000000000000000', '3000000000000000001']) {
    const { txHash } = await api.call<{ txHash: string }>('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount } });
    life.deposits.set(txHash, BigInt(amount));
  }
  const amount = '1000000000000000000';
  const { txHash } = await api.call<{ txHash: string }>('POST', '/sandbox/withdrawals', { token, body: { token: 'EURe', amount } });
  life.withdrawals.set(txHash, BigInt(amount));

  for (const decision of ['approve', 'decline'] as const) {
    const challengeId = await raiseChallenge(api, token, firstCard);
    const { challenge }: ChallengeDetail = await decide(api, person, challengeId, decision);
    if (challenge.decision !== decision) throw new Error(`decided ${decision}, answered ${challenge.decision}`);
    life.decisions.set(challengeId, decision);
  }
  return life;
};
