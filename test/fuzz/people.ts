import { decodeJwt } from 'jose';
import type { ApiClient } from '../support/api-client.ts';
import { createCard, newWallet, raiseChallenge, registerPerson, signIn, type Wallet } from '../support/story.ts';
import { type Caller, OWN } from './requests.ts';

/** A signed-in person with one object of each kind, which requests name. */
type Equipped = { token: string; own: Readonly<Record<string, string>> };

export type People = {
  tokenOf: (caller: Caller) => string | undefined;
  /** The value of a path parameter: the person's own object where the request says so. */
  pathValueOf: (name: string, value: unknown) => string;
  /** Signs in again after a request has ended the session, and replaces the card and the challenge. A person who was erased is replaced. */
  renew: () => Promise<void>;
};

/** A user can have five live cards; then the old objects stay. */
const equip = async (api: ApiClient, wallet: Wallet, before: Readonly<Record<string, string>>): Promise<Equipped> => {
  const { accessToken: token } = await signIn(api, wallet);
  // A device that does not exist is removed like one that does.
  const own = { ...before, address: wallet.address, id: String(decodeJwt(token)['sid']), subscriptionId: 'a'.repeat(43) };
  try {
    const cardId = await createCard(api, token);
    return { token, own: { ...own, cardId, challengeId: await raiseChallenge(api, token, cardId) } };
  } catch {
    return { token, own };
  }
};

/** @throws Error when the platform cannot register a person */
export const createPeople = async (api: ApiClient): Promise<People> => {
  let { wallet } = await registerPerson(api);
  const { accessToken: walletToken } = await signIn(api, newWallet());
  let { token, own } = await equip(api, wallet, {});
  if (own['challengeId'] === undefined) throw new Error('the person has no challenge');
  return {
    tokenOf: (caller) => ({ user: token, wallet: walletToken, nobody: undefined, garbage: 'a.b.c' })[caller],
    pathValueOf: (name, value) => (value === OWN ? (own[name] ?? own['cardId'] ?? '') : String(value)),
    renew: async () => {
      const { userId } = await signIn(api, wallet);
      if (userId === undefined) ({ wallet } = await registerPerson(api));
      ({ token, own } = await equip(api, wallet, own));
    },
  };
};
