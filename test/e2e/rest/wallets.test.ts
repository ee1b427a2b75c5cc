import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectValidation } from '../../support/expect-answer.ts';
import { openPlatform, type Platform } from '../../support/platform.ts';
import {
  approveWallet,
  createCard,
  issueTypedData,
  newWallet,
  raiseChallenge,
  registerPerson,
  signIn,
  signTypedData,
  siweMessage,
  submitDecision,
  type TypedData,
  type Wallet,
  walletToAdd,
} from '../../support/story.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

const add = async (token: string, wallet: Wallet, by: Wallet) =>
  platform.api.request('POST', '/user/wallets', { token, body: await walletToAdd(platform.api, token, wallet, by) });
const remove = async (token: string, address: string, by?: Wallet) => {
  const approval = by === undefined ? '' : `?approval=${await approveWallet(platform.api, token, address, by, 'remove')}`;
  return platform.api.request('DELETE', `/user/wallets/${address}${approval}`, { token });
};

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

    expect((await add(person.token, other, person.wallet)).body).toMatchObject({ address: other.address, primary: false });
    expect(await api.as(person.token).user.getUser()).toMatchObject({
      wallets: [
        { address: person.wallet.address, primary: true, approvesFrom: expect.any(String) },
        { address: other.address, primary: false, approvesFrom: expect.any(String) },
      ],
    });
    const signedIn = await signIn(api, other);
    expect(signedIn.userId).toBe(person.userId);
    expect((await submitDecision(api, signedIn.accessToken, id, 'approve', signature)).challenge.decision).toBe('approve');

    const late = await signTypedData(other, await issueTypedData(api, person.token, open, 'approve'));
    expectCode(await remove(person.token, other.address), 403, 'APPROVAL_REQUIRED');
    expectCode(await remove(person.token, other.address, newWallet()), 400, 'INVALID_APPROVAL');
    expect((await remove(person.token, other.address, person.wallet)).body).toEqual({ success: true });
    expectCode(await api.request('GET', '/user', { token: signedIn.accessToken }), 401, 'UNAUTHORIZED');
    expectCode(await decide(open, late), 400, 'INVALID_SIGNATURE');
    expect(await signIn(api, other)).not.toHaveProperty('userId');
  });

  it('belong to one user each; the last one and the owner of the Safe cannot be removed', async () => {
    const [one, two] = [await registerPerson(platform.api), await registerPerson(platform.api)];
    expectCode(await add(one.token, two.wallet, one.wallet), 409, 'WALLET_IN_USE');
    expectCode(await remove(one.token, one.wallet.address), 409, 'LAST_WALLET');
    expectCode(await remove(one.token, two.wallet.address), 404, 'NOT_FOUND');
    expect((await add(one.token, newWallet(), one.wallet)).status).toBe(200);
    expectCode(await remove(one.token, one.wallet.address), 409, 'WALLET_IS_OWNER');
    expectValidation(await remove(one.token, '0x12'), 'address');
  });

  it('are rejected with a message that is used or signed by another wallet', async () => {
    const { token, wallet } = await registerPerson(platform.api);
    const other = newWallet();
    const proof = await walletToAdd(platform.api, token, other, wallet);
    const { message, signature, approval } = proof;
    const post = (body: object) => platform.api.request('POST', '/user/wallets', { token, body });
    expectCode(await post({ ...proof, signature: await newWallet().signMessage({ message }) }), 400, 'INVALID_SIGNATURE');
    expectCode(await platform.api.request('POST', '/auth/siwe', { body: { message, signature } }), 401, 'INVALID_SIGNATURE');
    const signInMessage = await siweMessage(platform.api, other.address);
    const signedIn = { approval, message: signInMessage, signature: await other.signMessage({ message: signInMessage }) };
    expectCode(await post(signedIn), 400, 'INVALID_SIGNATURE');
    expectCode(await post({ ...proof, approval: await approveWallet(platform.api, token, other.address, other) }), 400, 'INVALID_APPROVAL');
    expectValidation(await post({ message, signature }), 'approval');
    expect((await post(proof)).status).toBe(200);
    expect((await remove(token, other.address, wallet)).status).toBe(200);
    expectCode(await post(proof), 400, 'NONCE_USED');
    expectCode(await platform.api.request('POST', '/user/wallets', { body: proof }), 401, 'UNAUTHORIZED');
  });

  it('can replace the primary wallet, which owns the Safe all the same and cannot be removed; the owner is told by mail', async () => {
    const { api } = platform;
    const person = await registerPerson(api);
    const other = newWallet();
    await add(person.token, other, person.wallet);
    const promote = async (by: Wallet) =>
      api.request('POST', '/user/wallets/primary', {
        token: person.token,
        body: { wallet: other.address, approval: await approveWallet(api, person.token, other.address, by, 'make_primary') },
      });
    expectCode(await promote(person.wallet), 400, 'INVALID_APPROVAL');
    expect((await promote(other)).body).toMatchObject({ address: other.address, primary: true });
    const { accessToken: token } = await signIn(api, other);
    expectCode(await remove(token, person.wallet.address), 409, 'WALLET_IS_OWNER');
    const mails = async () => (await api.as().sandbox.listOutbox({ to: person.email })).data;
    await expect.poll(async () => (await mails()).filter(({ code }) => code === undefined).length, { timeout: 20_000 }).toBe(2);
  });

  it('get typed data with the type of its domain where it is asked for', async () => {
    const person = await registerPerson(platform.api);
    const ask = (query: string) =>
      platform.api.call<TypedData>('POST', `/user/wallets/challenge${query}`, {
        token: person.token,
        body: { wallet: newWallet().address },
      });
    expect((await ask('')).types).not.toHaveProperty('EIP712Domain');
    expect((await ask('?domainType=true')).types).toHaveProperty('EIP712Domain');
    const bad = await platform.api.request('POST', '/user/wallets/challenge', { token: person.token, body: { wallet: '0x12' } });
    expectValidation(bad, 'wallet');
  });
});
