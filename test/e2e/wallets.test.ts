import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  createCard,
  issueTypedData,
  newWallet,
  raiseChallenge,
  registerPerson,
  signIn,
  signTypedData,
  siweMessage,
  submitDecision,
  type Wallet,
} from '../support/story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

const messageToAdd = (address: string) => siweMessage(platform.api, address, undefined, 'add_wallet');

const add = async (token: string, wallet: Wallet) => {
  const message = await messageToAdd(wallet.address);
  return platform.api.request('POST', '/user/wallets', { token, body: { message, signature: await wallet.signMessage({ message }) } });
};
const remove = (token: string, address: string) => platform.api.request('DELETE', `/user/wallets/${address}`, { token });

describe('the wallets of a user', () => {
  it('can sign in and sign decisions from when they are added until they are removed', async () => {
    const { api } = platform;
    const person = await registerPerson(api);
    const cardId = await createCard(api, person.token);
    const other = newWallet();
    const [id, open] = [await raiseChallenge(api, person.token, cardId), await raiseChallenge(api, person.token, cardId)];
    const typedData = await issueTypedData(api, person.token, id, 'approve');
    const signature = await signTypedData(other, typedData);
    const decide = (challenge: string, signed: string) =>
      api.request('POST', `/3ds/challenges/${challenge}/decision`, {
        token: person.token,
        body: { decision: 'approve', signature: signed },
      });
    expectCode(await decide(id, signature), 400, 'INVALID_SIGNATURE');

    expect((await add(person.token, other)).body).toEqual({ address: other.address, primary: false });
    expect(await api.call('GET', '/user', { token: person.token })).toMatchObject({
      wallets: [
        { address: person.wallet.address, primary: true },
        { address: other.address, primary: false },
      ],
    });
    const signedIn = await signIn(api, other);
    expect(signedIn.userId).toBe(person.userId);
    expect((await submitDecision(api, signedIn.accessToken, id, 'approve', signature)).challenge.decision).toBe('approve');

    const late = await signTypedData(other, await issueTypedData(api, person.token, open, 'approve'));
    expect((await remove(person.token, other.address)).body).toEqual({ success: true });
    expectCode(await api.request('GET', '/user', { token: signedIn.accessToken }), 401, 'UNAUTHORIZED');
    expectCode(await decide(open, late), 400, 'INVALID_SIGNATURE');
    expect(await signIn(api, other)).not.toHaveProperty('userId');
  });

  it('belong to one user each; the last one and the owner of the Safe cannot be removed', async () => {
    const [one, two] = [await registerPerson(platform.api), await registerPerson(platform.api)];
    expectCode(await add(one.token, two.wallet), 409, 'WALLET_IN_USE');
    expectCode(await remove(one.token, one.wallet.address), 409, 'LAST_WALLET');
    expectCode(await remove(one.token, two.wallet.address), 404, 'NOT_FOUND');
    expect((await add(one.token, newWallet())).status).toBe(200);
    expectCode(await remove(one.token, one.wallet.address), 409, 'WALLET_IS_OWNER');
    expectValidation(await remove(one.token, '0x12'), 'address');
  });

  it('are rejected with a message that is used or signed by another wallet', async () => {
    const { token } = await registerPerson(platform.api);
    const other = newWallet();
    const message = await messageToAdd(other.address);
    const signature = await other.signMessage({ message });
    const post = (body: object) => platform.api.request('POST', '/user/wallets', { token, body });
    expectCode(await post({ message, signature: await newWallet().signMessage({ message }) }), 400, 'INVALID_SIGNATURE');
    expectCode(await platform.api.request('POST', '/auth/siwe', { body: { message, signature } }), 401, 'INVALID_SIGNATURE');
    const signInMessage = await siweMessage(platform.api, other.address);
    const signedIn = { message: signInMessage, signature: await other.signMessage({ message: signInMessage }) };
    expectCode(await post(signedIn), 400, 'INVALID_SIGNATURE');
    expect((await post({ message, signature })).status).toBe(200);
    expect((await remove(token, other.address)).status).toBe(200);
    expectCode(await post({ message, signature }), 400, 'NONCE_USED');
    expectCode(await platform.api.request('POST', '/user/wallets', { body: { message, signature } }), 401, 'UNAUTHORIZED');
  });
});
