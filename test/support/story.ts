import { randomUUID } from 'node:crypto';
import type { Input, Output } from '@florin/client';
import { type ApprovedChange, approveChange } from '@florin/client/viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ApiClient } from './api-client.ts';

/** Steps of a user, over the public interface only. Shared by the demo, tests, benchmarks and fault runs. */

const DOMAIN = 'localhost:3000';

export type Wallet = PrivateKeyAccount;

export const newWallet = (): Wallet => privateKeyToAccount(generatePrivateKey());

export type Tokens = Output<'auth.signIn'>;
export type TypedData = Output<'threeDs.issueDecisionChallenge'>;
export type ChallengeDetail = Output<'threeDs.getChallenge'>;
export type Challenge = ChallengeDetail['challenge'];

/** Failures of a busy machine, after which the documentation says to repeat. */
const BUSY = /UPSTREAM_TIMEOUT|CARD_ISSUING_FAILED|deadline_exceeded/;

/** Repeats a step that a busy machine has not finished in time. */
export const untilDone = async <T>(step: () => Promise<T>): Promise<T> => {
  for (let left = 5; ; left -= 1) {
    try {
      return await step();
    } catch (error) {
      if (left === 0 || !BUSY.test(String(error))) throw error;
    }
  }
};

type Purpose = 'sign_in' | 'add_wallet';

export const siweMessage = async (api: ApiClient, address: string, domain = DOMAIN, purpose: Purpose = 'sign_in'): Promise<string> =>
  (await api.as().auth.createSiweMessage({ address, domain, uri: `http://${domain}/login`, purpose })).message;

/** Signs in with an EIP-4361 message. @param domain web domain of the app, which selects the partner */
export const signIn = async (api: ApiClient, wallet: Wallet, domain = DOMAIN): Promise<Tokens> => {
  const message = await siweMessage(api, wallet.address, domain);
  const signature = await wallet.signMessage({ message });
  return api.as().auth.signIn({ message, signature });
};

/** The request of the owner of `by` to add a wallet: the new wallet's proof, and the approval of an existing one. */
export const walletToAdd = async (api: ApiClient, token: string, wallet: Wallet, by: Wallet, domain = DOMAIN) => {
  const message = await siweMessage(api, wallet.address, domain, 'add_wallet');
  return {
    message,
    signature: await wallet.signMessage({ message }),
    approval: await approveWallet(api, token, wallet.address, by),
  };
};

/** The approval of a wallet by an existing one. */
export const approveWallet = async (
  api: ApiClient,
  token: string,
  wallet: string,
  by: Wallet,
  change: 'add' | 'make_primary' | 'remove' = 'add',
): Promise<Hex> => signTypedData(by, await api.as(token).user.createWalletChallenge({ wallet, change }));

type Approver = { token: string; wallet: Wallet };

/** The approval of a change that lets through what was not, by the wallet of a person. */
export const approve = (api: ApiClient, { token, wallet }: Approver, change: ApprovedChange): Promise<Hex> =>
  approveChange(api.as(token), wallet, change);

/** Lifts the cardholder's freeze of a card. */
export const unfreezeCard = async (api: ApiClient, person: Approver, cardId: string): Promise<Output<'cards.unfreezeCard'>> => {
  const approval = await approve(api, person, { change: 'unfreeze', given: { cardId } });
  return api.as(person.token).cards.unfreezeCard({ cardId, approval });
};

/** Returns the newest code that the sandbox has sent to an e-mail address or phone number. */
export const readCode = async (api: ApiClient, to: string): Promise<string> => {
  const { data } = await api.as().sandbox.listOutbox({ to });
  const code = data.find((message) => message.code !== undefined)?.code;
  if (code === undefined) throw new Error('the outbox contains no code');
  return code;
};

/** Returns a code that differs from `code`. */
export const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000');

export const requestEmailCode = async (api: ApiClient, token: string, email: string): Promise<string> => {
  await api.as(token).auth.sendEmailCode({ email });
  return readCode(api, email);
};

export type Person = { wallet: Wallet; email: string; userId: string; token: string; refreshToken: string };

export const newEmail = (): string => `person-${randomUUID()}@example.org`;

/** Registers a signed-in wallet as a user. */
export const registerWithToken = async (api: ApiClient, accessToken: string, email: string = newEmail()) => {
  const otp = await requestEmailCode(api, accessToken, email);
  const { userId, accessToken: token } = await api.as(accessToken).user.registerUser({ email, otp });
  return { email, userId, token };
};

/** Signs in with a wallet, by default a new one, and registers it. */
export const registerPerson = async (
  api: ApiClient,
  wallet: Wallet = newWallet(),
  { email = newEmail(), domain = DOMAIN }: { email?: string; domain?: string } = {},
): Promise<Person> => {
  const { accessToken, refreshToken } = await untilDone(() => signIn(api, wallet, domain));
  return { wallet, refreshToken, ...(await untilDone(() => registerWithToken(api, accessToken, email))) };
};

/** The account of a user, with the address of its Safe as libraries of wallets take it. */
export const accountOf = async (api: ApiClient, token: string) => {
  const account = await api.as(token).userAccount.getAccount();
  return { ...account, safeAddress: account.safeAddress as Address };
};

let lastPhone = Math.floor(10_000_000 + Math.random() * 80_000_000);

/** Returns a number from an assigned range, which the strict validation accepts. No two of a process are equal. */
export const newPhone = (): string => {
  lastPhone += 1;
  return `+49151${lastPhone}`;
};

export const createCard = async (
  api: ApiClient,
  token: string,
  card: Input<'cards.createVirtualCard'> = { cardName: 'Everyday', phone: newPhone() },
): Promise<string> => (await untilDone(() => api.as(token).cards.createVirtualCard(card))).cardId;

export const PAYMENT = {
  amount: '4999',
  currency: 'EUR' as const,
  merchant: { displayName: 'Bookshop', country: 'DE', categoryCode: '5942' },
};

type NewChallenge = Input<'sandbox.createChallenge'>;

export const raiseChallenge = async (api: ApiClient, token: string, cardId: string, more: Partial<NewChallenge> = {}): Promise<string> =>
  (await api.as(token).sandbox.createChallenge({ cardId, ...PAYMENT, ...more })).challengeId;

export type Decision = 'approve' | 'decline';

export const issueTypedData = (api: ApiClient, token: string, challengeId: string, decision: Decision): Promise<TypedData> =>
  api.as(token).threeDs.issueDecisionChallenge({ challengeId, decision });

/** Signs the typed data as sent by the service; only `nonce` is converted to a bigint, as documented. */
export const signTypedData = (wallet: Wallet, { domain, primaryType, types, message }: TypedData): Promise<Hex> =>
  wallet.signTypedData({ domain, primaryType, types, message: { ...message, nonce: BigInt(message.nonce) } });

export const submitDecision = (api: ApiClient, token: string, challengeId: string, decision: Decision, signature: string) =>
  api.as(token).threeDs.submitDecision({ challengeId, decision, signature });

/** Requests the typed data, signs it and submits the decision. */
export const decide = async (api: ApiClient, person: Person, challengeId: string, decision: Decision) => {
  const typedData = await issueTypedData(api, person.token, challengeId, decision);
  return submitDecision(api, person.token, challengeId, decision, await signTypedData(person.wallet, typedData));
};

export const acceptAllTerms = async (api: ApiClient, token: string): Promise<void> => {
  const { terms } = await api.as().terms.listTerms();
  await api.as(token).terms.acceptTerms({ terms: terms.map(({ type, currentVersion }) => ({ type, version: currentVersion })) });
};

/** Submits the first allowed answer to every question. */
export const explainFunds = async (api: ApiClient, token: string): Promise<void> => {
  const client = api.as(token);
  const { questions } = await client.sourceOfFunds.getSourceOfFunds();
  await client.sourceOfFunds.submitSourceOfFunds({
    answers: questions.map(({ question, answers: [answer = ''] }) => ({ question, answer })),
  });
};
