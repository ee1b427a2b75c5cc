import { randomUUID } from 'node:crypto';
import { pause } from '@florin/rpc/time';
import { type ApiClient, isRejection } from '../support/api-client.ts';
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

/** Everything that was acknowledged to one person with a 200 response. */
export type Life = {
  person: Person;
  cards: string[];
  /** Amounts in the token's smallest unit by transaction hash. */
  deposits: Map<string, bigint>;
  withdrawals: Map<string, bigint>;
  /** Accepted decisions by challenge id. */
  decisions: Map<string, 'approve' | 'decline'>;
};

const isCode = (error: unknown, code: string): boolean => isRejection(error) && error.code === code;

/** As long as a persistent client repeats a request, which consumes nonces meanwhile. */
const SIGN_IN_TIMEOUT_MS = 90_000;
const PAUSE_MS = 200;

/** Signs in, with new messages until it succeeds: a lost response may have consumed the nonce. */
export const signInWithRetries = async (api: ApiClient, wallet: Person['wallet']) => {
  const end = Date.now() + SIGN_IN_TIMEOUT_MS;
  for (;;) {
    try {
      return await signIn(api, wallet);
    } catch (error) {
      if (Date.now() > end || !isRejection(error) || error.status !== 401) throw error;
      await pause(PAUSE_MS);
    }
  }
};

/** Registers a person. If the response of a completed registration was lost, signing in again returns the user. */
export const registerWithRetries = async (api: ApiClient, wallet = newWallet()): Promise<Person | undefined> => {
  const tokens = await signInWithRetries(api, wallet);
  const email = `faults-${randomUUID()}@example.org`;
  try {
    const otp = await requestEmailCode(api, tokens.accessToken, email);
    await api.call('POST', '/user', { token: tokens.accessToken, body: { email, otp } });
  } catch (error) {
    // Codes are stored in Redis only, which may lose the last second when it is killed. This registration was not acknowledged.
    const codeIsLost =
      isCode(error, 'INVALID_OTP') || isCode(error, 'OTP_EXPIRED') || isCode(error, 'RESEND_TOO_SOON') || !isRejection(error);
    if (codeIsLost) return undefined;
    if (!isCode(error, 'USER_ALREADY_EXISTS') && !isCode(error, 'USER_REGISTRATION_IN_PROGRESS')) throw error;
  }
  const { accessToken, refreshToken, userId } = await signInWithRetries(api, wallet);
  if (userId === undefined) return undefined;
  return { wallet, email, userId, token: accessToken, refreshToken };
};

/** Plays the story once: registers, orders cards, moves money, decides payments, and records what was acknowledged. */
export const live = async (api: ApiClient): Promise<Life | undefined> => {
  const person = await registerWithRetries(api);
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
    if (challenge.decision !== decision) throw new Error(`decided ${decision}, but the response says ${challenge.decision}`);
    life.decisions.set(challengeId, decision);
  }
  return life;
};
