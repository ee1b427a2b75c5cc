import { SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { waitFor } from '@florin/rpc/testing';
import { decodeJwt } from 'jose';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walletKeyOf } from '../domain/user.ts';
import { MAX_WALLETS } from '../domain/wallet-rules.ts';
import { proofToAdd, removeApproved } from '../testing/wallets.ts';
import { as, type Clients, createWorld, newWallet, newUser as registerNew, signIn, type World } from '../testing/world.ts';
import type { WalletParts } from './parts.ts';

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({
    PARTNERS: JSON.stringify([
      { id: 'florin', name: 'Florin', domains: [] },
      { id: 'other', name: 'Other', domains: ['other.example.com'] },
    ]),
  });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world.close());

/** The wallets with which users were registered, which approve others. */
const owners = new Map<string, PrivateKeyAccount>();
const newUser = async (...args: Parameters<typeof registerNew>) => {
  const user = await registerNew(...args);
  owners.set(user.userId, user.wallet);
  return user;
};
const ownerOf = (token: string): PrivateKeyAccount => {
  const owner = owners.get(String(decodeJwt(token)['uid']));
  if (owner === undefined) throw new Error('the token belongs to no user of this test');
  return owner;
};
const prove = (token: string, wallet: PrivateKeyAccount, options = {}) => proofToAdd(clients, token, wallet, ownerOf(token), options);
const add = async (token: string, wallet: PrivateKeyAccount, at: Clients = clients) =>
  at.wallets.addWallet(await prove(token, wallet), as(token));
const remove = (token: string, address: string, at: Clients = clients) => removeApproved(at, token, address, ownerOf(token));
const walletsOf = async (token: string) => (await clients.users.getCurrentUser({}, as(token))).user?.wallets ?? [];
const addressesOf = async (token: string) => (await walletsOf(token)).map(({ address }) => address);
const claimOf = (address: string) => world.collection('wallet_claims').findOne({ _id: walletKeyOf(address) });
const uidOf = async (wallet: PrivateKeyAccount) => decodeJwt((await signIn(clients, wallet)).accessToken)['uid'];

describe('AddWallet', () => {
  it('lets the new wallet sign in as the user', async () => {
    const { wallet, userToken, userId } = await newUser(clients);
    const other = newWallet();
    const { wallet: added } = await add(userToken, other);
    expect(added).toMatchObject({ address: other.address, primary: false });
    expect(await walletsOf(userToken)).toMatchObject([
      { address: wallet.address, primary: true },
      { address: other.address, primary: false },
    ]);
    expect(await uidOf(other)).toBe(userId);
    const read = await clients.threeds.getUser({ userId });
    expect(read.user?.wallets.map(({ address }) => address)).toEqual([wallet.address, other.address]);
  });

  it('returns the same wallet for repeated and concurrent calls, with the same message or another', async () => {
    const { userToken } = await newUser(clients);
    const other = newWallet();
    const proof = await prove(userToken, other);
    const calls = Array.from({ length: 6 }, () => clients.wallets.addWallet(proof, as(userToken)));
    for (const { wallet } of await Promise.all([...calls, add(userToken, other)])) expect(wallet?.address).toBe(other.address);
    expect(await walletsOf(userToken)).toHaveLength(2);
  });

  it('requires a recent sign-in, so that a stolen token adds nothing', async () => {
    const { wallet, userToken } = await newUser(clients);
    const { sid } = decodeJwt(userToken);
    await world.collection('sessions').updateOne({ _id: String(sid) }, { $set: { createdAt: new Date(Date.now() - 6 * 60_000) } });
    await expect(add(userToken, newWallet())).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect(await walletsOf(userToken)).toHaveLength(1);
    const { accessToken } = await signIn(clients, wallet);
    await add(accessToken, newWallet());
    expect(await walletsOf(userToken)).toHaveLength(2);
  });

  it('makes existing sessions of the wallet sessions of the user', async () => {
    const { userToken, userId } = await newUser(clients);
    const other = newWallet();
    const { refreshToken } = await signIn(clients, other);
    await add(userToken, other);
    expect((await clients.auth.refreshSession({ refreshToken })).tokens?.userId).toBe(userId);
  });

  it('rejects a wallet that another user registered or added', async () => {
    const [one, two] = [await newUser(clients), await newUser(clients)];
    await expect(add(one.userToken, two.wallet)).rejects.toMatchObject({ code: 'WALLET_IN_USE' });
    const wanted = newWallet();
    const results = await Promise.allSettled([add(one.userToken, wanted), add(two.userToken, wanted)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'WALLET_IN_USE' });
    expect([...(await addressesOf(one.userToken)), ...(await addressesOf(two.userToken))]).toContain(wanted.address);
  });

  it('requires an unused proof of the wallet at a domain of the partner', async () => {
    const [{ wallet, userToken }, stranger] = [await newUser(clients), await newUser(clients)];
    const other = newWallet();
    const { message, signature, approval } = await prove(userToken, other);
    const attempt = (proof: { message: string; signature: string; approval: string }, token = userToken) =>
      clients.wallets.addWallet(proof, as(token));
    const forged = { message, approval, signature: await newWallet().signMessage({ message }) };
    await expect(attempt(forged)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const elsewhere = await prove(userToken, other, { domain: 'other.example.com', scheme: 'https' });
    await expect(attempt(elsewhere)).rejects.toMatchObject({ code: 'DOMAIN_NOT_ALLOWED' });
    await attempt({ message, signature, approval });
    // A proof that added a wallet does not add it to another user.
    await expect(attempt({ message, signature, approval }, stranger.userToken)).rejects.toMatchObject({ code: 'NONCE_USED' });
    const late = await prove(userToken, newWallet());
    world.clock.advanceSeconds(600);
    const { accessToken: fresh } = await signIn(clients, wallet);
    await expect(attempt(late, fresh)).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
  });

  it('rejects a message for another purpose, before and after its use', async () => {
    const { userToken } = await newUser(clients);
    const other = newWallet();
    const forAdding = await prove(userToken, other);
    await expect(clients.auth.signIn(forAdding)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await clients.wallets.addWallet(forAdding, as(userToken));
    await expect(clients.auth.signIn(forAdding)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const captured = await prove(userToken, newWallet(), { purpose: SiwePurpose.SIGN_IN });
    await expect(clients.wallets.addWallet(captured, as(userToken))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await clients.auth.signIn(captured);
    await expect(clients.wallets.addWallet(captured, as(userToken))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await walletsOf(userToken)).toHaveLength(2);
  });

  it('rejects the repeat of a proof after its expiry and after the wallet was removed', async () => {
    const { wallet, userToken } = await newUser(clients);
    const [removed, kept] = [await prove(userToken, newWallet()), await prove(userToken, newWallet())];
    const { wallet: first } = await clients.wallets.addWallet(removed, as(userToken));
    await remove(userToken, first?.address ?? '');
    await expect(clients.wallets.addWallet(removed, as(userToken))).rejects.toMatchObject({ code: 'NONCE_USED' });
    await clients.wallets.addWallet(kept, as(userToken));
    world.clock.advanceSeconds(600);
    const { accessToken: fresh } = await signIn(clients, wallet);
    await expect(clients.wallets.addWallet(kept, as(fresh))).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
    expect(await walletsOf(fresh)).toHaveLength(2);
  });

  it('allows at most ten wallets under concurrent calls', async () => {
    const { userToken } = await newUser(clients);
    const wallets = Array.from({ length: MAX_WALLETS + 2 }, newWallet);
    const results = await Promise.allSettled(wallets.map((wallet) => add(userToken, wallet)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_WALLETS - 1);
    const has = new Set(await addressesOf(userToken));
    expect(has.size).toBe(MAX_WALLETS);
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({ code: 'WALLET_LIMIT_REACHED' });
      expect(await claimOf(wallets[index]?.address ?? '')).toBeNull();
    }
  });

  it('is finished by a repeat after a kill between claim and user; until then the wallet does not sign in as a user', async () => {
    let killed = true;
    const around = (parts: WalletParts): WalletParts => ({
      ...parts,
      users: { ...parts.users, addWallet: (...args) => (killed ? Promise.reject(new Error('killed')) : parts.users.addWallet(...args)) },
    });
    const mortal = world.clientsOf((await world.start({ aroundWallets: around })).url);
    const { userToken, userId } = await newUser(clients);
    const other = newWallet();
    const proof = await prove(userToken, other);
    await expect(mortal.wallets.addWallet(proof, as(userToken))).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await claimOf(other.address)).toMatchObject({ userId });
    expect(await uidOf(other)).toBeUndefined();
    const stranger = await newUser(clients);
    await expect(add(stranger.userToken, other)).rejects.toMatchObject({ code: 'WALLET_IN_USE' });
    killed = false;
    await mortal.wallets.addWallet(proof, as(userToken));
    expect(await uidOf(other)).toBe(userId);
  });
});

describe('RemoveWallet', () => {
  const withTwo = async () => {
    const user = await newUser(clients);
    const other = newWallet();
    await add(user.userToken, other);
    return { ...user, other };
  };

  it('ends the sessions of the wallet and keeps those of other wallets', async () => {
    const { userToken, userId, other } = await withTwo();
    const { accessToken, refreshToken } = await signIn(clients, other);
    await remove(userToken, other.address.toLowerCase());
    await expect(clients.users.getCurrentUser({}, as(accessToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(clients.auth.refreshSession({ refreshToken })).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    expect(await addressesOf(userToken)).not.toContain(other.address);
    expect(await uidOf(other)).toBeUndefined();
    expect(await claimOf(other.address)).toBeNull();
    expect(await world.collection('users').findOne({ _id: userId })).not.toHaveProperty('leavingWallets');
  });

  it('releases the wallet for another user, the same user and registration', async () => {
    const { userToken, other } = await withTwo();
    await remove(userToken, other.address);
    await add(userToken, other);
    await remove(userToken, other.address);
    const stranger = await newUser(clients);
    await add(stranger.userToken, other);
    await remove(stranger.userToken, other.address);
    const registered = await newUser(clients, other);
    expect(await uidOf(other)).toBe(registered.userId);
  });

  it('rejects the last wallet and the wallet that owns the Safe', async () => {
    const { wallet, userToken } = await newUser(clients);
    await expect(remove(userToken, wallet.address)).rejects.toMatchObject({ code: 'LAST_WALLET' });
    await add(userToken, newWallet());
    await expect(remove(userToken, wallet.address)).rejects.toMatchObject({ code: 'WALLET_IS_OWNER' });
    expect(await uidOf(wallet)).toBeDefined();
  });

  it('returns NOT_FOUND for a wallet of another user and for a removed one', async () => {
    const [mine, theirs] = [await withTwo(), await withTwo()];
    await expect(remove(mine.userToken, theirs.other.address)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(remove(mine.userToken, '0x12')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await remove(mine.userToken, mine.other.address);
    await expect(remove(mine.userToken, mine.other.address)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await addressesOf(theirs.userToken)).toContain(theirs.other.address);
  });

  it('leaves a wallet either listed with a claim or neither after a race with additions', async () => {
    const { userToken, userId, other } = await withTwo();
    for (let round = 0; round < 6; round += 1) {
      await Promise.allSettled([remove(userToken, other.address), add(userToken, other), remove(userToken, other.address)]);
      await waitFor('the rest of the removals', async () => {
        const user = await world.collection('users').findOne({ _id: userId });
        return user?.['leavingWallets'] === undefined || undefined;
      });
      const isThere = (await addressesOf(userToken)).includes(other.address);
      const claim = await claimOf(other.address);
      expect(isThere ? claim?.['userId'] : claim).toBe(isThere ? userId : null);
      if (!isThere) await add(userToken, other);
    }
  });

  it.each(['releaseIf', 'forgetLeaving', 'leavingWallets'] as const)('is finished by another instance after a kill at %s', async (at) => {
    const die = () => Promise.reject(new Error('killed'));
    const around = (parts: WalletParts): WalletParts => ({
      ...parts,
      ...(at === 'releaseIf' ? { walletClaims: { ...parts.walletClaims, releaseIf: die } } : { users: { ...parts.users, [at]: die } }),
    });
    const mortal = await world.start({ aroundWallets: around });
    const { userToken, other } = await withTwo();
    const { accessToken } = await signIn(clients, other);
    await expect(remove(userToken, other.address, world.clientsOf(mortal.url))).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await mortal.close();
    await waitFor('the claim to be given back', async () => ((await claimOf(other.address)) === null ? true : undefined));
    await waitFor('the end of the session', () =>
      clients.sessions.listSessions({}, as(accessToken)).then(
        () => undefined,
        () => true as const,
      ),
    );
    expect(await uidOf(other)).toBeUndefined();
  });
});
