import { randomUUID } from 'node:crypto';
import { malleated, signableOf } from '@florin/evm/testing';
import { CardChangeKind, WalletChange } from '@florin/proto/identity/v1/wallet_service';
import { decodeJwt } from 'jose';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approve, challengeFor, proofToAdd, proveNew, removeApproved } from '../testing/wallets.ts';
import { as, type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';
import type { WalletParts } from './parts.ts';

const COOLING_SECONDS = 3600;
const PATIENTLY = { timeout: 20_000 };

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({ WALLET_COOLING_SECONDS: String(COOLING_SECONDS) });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world?.close());

type Proof = { message: string; signature: string; approval: string };
const post = (token: string, proof: Proof, at: Clients = clients) => at.wallets.addWallet(proof, as(token));
const walletsOf = async (token: string) => (await clients.users.getCurrentUser({}, as(token))).user?.wallets ?? [];
const mailsTo = async (email: string) =>
  (await clients.sandbox.listOutboxMessages({ to: email })).messages.filter(({ code }) => code === '').map(({ text }) => text);

/** A user with a second wallet whose cooling time is over. */
const withTwo = async () => {
  const user = await newUser(clients);
  const other = newWallet();
  await post(user.userToken, await proofToAdd(clients, user.userToken, other, user.wallet));
  world.clock.advanceSeconds(COOLING_SECONDS);
  const { accessToken } = await signIn(clients, user.wallet);
  return { ...user, userToken: accessToken, other };
};

describe('the approval of a new wallet', () => {
  it('fails for a thief of an access token, who has no wallet of the user', async () => {
    const { userToken } = await newUser(clients);
    const mine = newWallet();
    const approvals = [
      await approve(clients, userToken, mine.address, mine),
      (await proveNew(clients, mine)).signature,
      `0x${'ab'.repeat(65)}`,
    ];
    const proof = await proveNew(clients, mine);
    for (const approval of approvals)
      await expect(post(userToken, { ...proof, approval })).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await expect(post(userToken, { ...proof, approval: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await walletsOf(userToken)).toHaveLength(1);
  });

  it('names user and wallet: it serves for no other wallet, user, change or purpose', async () => {
    const [one, two] = [await newUser(clients), await newUser(clients)];
    const [wanted, another] = [newWallet(), newWallet()];
    const data = await challengeFor(clients, one.userToken, wanted.address);
    expect(data.message.authorization).toContain(one.userId);
    expect(data.message.authorization).toContain(wanted.address);
    const approval = await one.wallet.signTypedData(data);
    const attempt = async (token: string, wallet: PrivateKeyAccount, used = approval) =>
      post(token, { ...(await proveNew(clients, wallet)), approval: used });
    for (const refuse of [
      () => attempt(one.userToken, another),
      () => attempt(two.userToken, wanted),
      () => attempt(one.userToken, wanted, malleated(approval)),
      async () =>
        attempt(one.userToken, wanted, await one.wallet.signTypedData({ ...data, domain: { ...data.domain, name: 'Florin 3DS' } })),
      async () => attempt(one.userToken, wanted, await one.wallet.signTypedData({ ...data, domain: { ...data.domain, chainId: 1 } })),
      async () =>
        attempt(one.userToken, wanted, await approve(clients, one.userToken, wanted.address, one.wallet, WalletChange.MAKE_PRIMARY)),
      async () => attempt(one.userToken, wanted, await one.wallet.signMessage({ message: data.message.authorization })),
    ])
      await expect(refuse()).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    // The approval signs nobody in, and a sign-in approves nothing.
    const { message } = await proveNew(clients, one.wallet);
    await expect(clients.auth.signIn({ message, signature: approval })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await attempt(one.userToken, wanted);
    expect(await walletsOf(one.userToken)).toHaveLength(2);
  });

  it('can be used once, until it expires', async () => {
    const { wallet, userToken } = await newUser(clients);
    const other = newWallet();
    const used = await proofToAdd(clients, userToken, other, wallet);
    await post(userToken, used);
    await removeApproved(clients, userToken, other.address, wallet);
    const again = { ...(await proveNew(clients, other)), approval: used.approval };
    await expect(post(userToken, again)).rejects.toMatchObject({ code: 'NONCE_USED' });
    const late = await approve(clients, userToken, other.address, wallet);
    world.clock.advanceSeconds(601);
    const { accessToken } = await signIn(clients, wallet);
    await expect(post(accessToken, { ...(await proveNew(clients, other)), approval: late })).rejects.toMatchObject({
      code: 'NONCE_EXPIRED',
    });
    expect(await walletsOf(accessToken)).toHaveLength(1);
  });

  it('has one winner when two proofs use it at the same time', async () => {
    const { wallet, userToken } = await newUser(clients);
    const other = newWallet();
    const approval = await approve(clients, userToken, other.address, wallet);
    const proofs = await Promise.all([proveNew(clients, other), proveNew(clients, other), proveNew(clients, other)]);
    const results = await Promise.allSettled(proofs.map((proof) => post(userToken, { ...proof, approval })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NONCE_USED' });
    expect(await walletsOf(userToken)).toHaveLength(2);
  });

  it('keeps twenty per session, so that a stolen one removes none of another session', async () => {
    const { wallet, userToken, userId } = await newUser(clients);
    const other = newWallet();
    const first = await proofToAdd(clients, userToken, other, wallet);
    const { accessToken } = await signIn(clients, wallet);
    const honest = await proofToAdd(clients, accessToken, other, wallet);
    for (let count = 0; count < 25; count += 1) {
      world.clock.advanceSeconds(1);
      await challengeFor(clients, userToken, count % 2 === 0 ? newWallet().address : other.address);
    }
    expect((await world.collection('wallet_approvals').findOne({ _id: userId }))?.['open']).toHaveLength(21);
    await expect(post(userToken, first)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await post(accessToken, honest);
    expect(await walletsOf(accessToken)).toHaveLength(2);
  });

  it('is about the change that is made, whatever the database says that it was issued for', async () => {
    const { userToken, userId, wallet } = await newUser(clients);
    const [wanted, evil] = [newWallet(), newWallet()];
    const approval = await approve(clients, userToken, wanted.address, wallet);
    await world.collection('wallet_approvals').updateOne({ _id: userId }, { $set: { 'open.0.subject': evil.address } });
    await expect(post(userToken, { ...(await proveNew(clients, evil)), approval })).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    expect(await walletsOf(userToken)).toHaveLength(1);
  });

  it('does not count when the wallet that signed it is removed while it is used', async () => {
    const { userToken, wallet, other } = await withTwo();
    const mine = newWallet();
    const around = (parts: WalletParts): WalletParts => ({
      ...parts,
      users: {
        ...parts.users,
        addWallet: async (...args) => {
          await removeApproved(clients, userToken, other.address, wallet);
          return parts.users.addWallet(...args);
        },
      },
    });
    const slow = world.clientsOf((await world.start({ aroundWallets: around })).url);
    const proof = await proofToAdd(clients, userToken, mine, other);
    await expect(post(userToken, proof, slow)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    expect(await walletsOf(userToken)).toHaveLength(1);
    expect(await world.collection('wallet_claims').findOne({ _id: mine.address.toLowerCase() })).toBeNull();
  });
});

describe('the approval of a removal', () => {
  it('is needed however recent the sign-in, from a wallet of the user that is not cooling, over this removal', async () => {
    const { userToken, wallet, other, email } = await withTwo();
    const third = newWallet();
    await post(userToken, await proofToAdd(clients, userToken, third, wallet));
    const remove = (approval: string, token = userToken) => clients.wallets.removeWallet({ address: other.address, approval }, as(token));
    await expect(remove('')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    for (const approval of [
      await approve(clients, userToken, other.address, newWallet(), WalletChange.REMOVE),
      await approve(clients, userToken, third.address, wallet, WalletChange.REMOVE),
      await approve(clients, userToken, other.address, wallet, WalletChange.ADD),
      await approve(clients, userToken, other.address, other, WalletChange.MAKE_PRIMARY),
      await wallet.signMessage({
        message: (await challengeFor(clients, userToken, other.address, WalletChange.REMOVE)).message.authorization,
      }),
    ])
      await expect(remove(approval)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    const cooling = await approve(clients, userToken, other.address, third, WalletChange.REMOVE);
    await expect(remove(cooling)).rejects.toMatchObject({ code: 'WALLET_COOLING' });
    expect(await walletsOf(userToken)).toHaveLength(3);

    const approval = await approve(clients, userToken, other.address, wallet, WalletChange.REMOVE);
    const removed = await Promise.allSettled(Array.from({ length: 4 }, () => remove(approval)));
    expect(removed.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    for (const result of removed) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NOT_FOUND' });
    expect((await walletsOf(userToken)).map(({ address }) => address)).toEqual([wallet.address, third.address]);
    await expect.poll(() => mailsTo(email), PATIENTLY).toContainEqual(expect.stringContaining(`${other.address} can no longer sign in`));
    // It removes the wallet once: not after it was added again.
    await post(userToken, await proofToAdd(clients, userToken, other, wallet));
    await expect(remove(approval)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    expect(await walletsOf(userToken)).toHaveLength(3);
  });
});

describe('the approval of a change of a card', () => {
  type Change = { kind: CardChangeKind; cardId: string; last4: string; facts: string[] };
  const change = (more: Partial<Change> = {}): Change => ({
    kind: CardChangeKind.LIMITS,
    cardId: randomUUID(),
    last4: '4242',
    facts: ['Per day: 900.00 EUR'],
    ...more,
  });
  const approveCard = async (token: string, given: Change, by: PrivateKeyAccount) => {
    const { typedData } = await clients.wallets.createCardChallenge({ change: given }, as(token));
    if (typedData === undefined) throw new Error('the challenge has no typed data');
    return by.signTypedData(signableOf(typedData));
  };
  const use = (token: string, given: Change, approval: string, name = 'one') =>
    clients.wallets.useCardApproval({ change: given, approval, use: name }, as(token));

  it('is a text that names card, change and user, which a wallet signs', async () => {
    const { userToken, userId, wallet } = await newUser(clients);
    const given = change();
    const { typedData } = await clients.wallets.createCardChallenge({ change: given }, as(userToken));
    expect(typedData?.domainName).toBe('Florin Cards');
    expect(typedData?.authorization.split('\n')).toEqual([
      'CHANGE limits of a card of my Florin account.',
      'Card: **** 4242',
      `Card ID: ${given.cardId}`,
      'Per day: 900.00 EUR',
      `User: ${userId}`,
      expect.stringMatching(/^Expires: /),
    ]);
    expect(await use(userToken, given, await approveCard(userToken, given, wallet))).toMatchObject({ nonce: expect.any(String) });
  });

  it('counts for this change alone, by a wallet of the user that is not cooling', async () => {
    const [one, two] = [await newUser(clients), await newUser(clients)];
    const given = change();
    const approval = await approveCard(one.userToken, given, one.wallet);
    for (const other of [
      { kind: CardChangeKind.CONTROLS },
      { kind: CardChangeKind.UNFREEZE, facts: [] },
      { cardId: randomUUID() },
      { last4: '4243' },
      { facts: ['Per day: 900000.00 EUR'] },
      { facts: [...given.facts, 'Per week: 900.00 EUR'] },
    ])
      await expect(use(one.userToken, { ...given, ...other }, approval)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await expect(use(two.userToken, given, approval)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await expect(use(one.userToken, given, '')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    await expect(use(one.userToken, { ...given, facts: ['a\nExpires: never'] }, approval)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    // Nothing that a wallet signs for another purpose counts, nor does it add a wallet.
    const mine = newWallet();
    await expect(use(one.userToken, given, await approve(clients, one.userToken, mine.address, one.wallet))).rejects.toMatchObject({
      code: 'INVALID_APPROVAL',
    });
    await expect(post(one.userToken, { ...(await proveNew(clients, mine)), approval })).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await post(one.userToken, await proofToAdd(clients, one.userToken, mine, one.wallet));
    await expect(use(one.userToken, given, await approveCard(one.userToken, given, mine))).rejects.toMatchObject({
      code: 'WALLET_COOLING',
    });
    await use(one.userToken, given, approval);
  });

  it('counts for one use, until that is complete or ten minutes are over', async () => {
    const { userToken, wallet } = await newUser(clients);
    const given = change({ kind: CardChangeKind.UNFREEZE, facts: [] });
    const approval = await approveCard(userToken, given, wallet);
    const used = await Promise.allSettled(['a', 'b', 'c'].map((name) => use(userToken, given, approval, name)));
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of used) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NONCE_USED' });
    const winner = ['a', 'b', 'c'][used.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    const { nonce } = await use(userToken, given, approval, winner);
    await clients.wallets.completeCardApproval({ nonce }, as(userToken));
    await clients.wallets.completeCardApproval({ nonce }, as(userToken));
    await expect(use(userToken, given, approval, winner)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    const late = await approveCard(userToken, given, wallet);
    world.clock.advanceSeconds(601);
    await expect(use(userToken, given, late)).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
  });
});

describe('a caller', () => {
  it('whose wallet is no longer one of the user changes nothing, though the token is not revoked yet', async () => {
    const { userToken, userId, wallet, other } = await withTwo();
    const { accessToken } = await signIn(clients, other);
    // As if the revocation had not reached this process.
    await world.collection('users').updateOne({ _id: userId }, { $pull: { wallets: { address: other.address } } } as object);
    const mine = newWallet();
    const proof = await proofToAdd(clients, userToken, mine, wallet);
    await expect(post(accessToken, proof)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(challengeFor(clients, accessToken, mine.address)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(clients.wallets.removeWallet({ address: wallet.address }, as(accessToken))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('whose session was revoked or is old changes nothing', async () => {
    const { userToken, wallet, other } = await withTwo();
    const mine = newWallet();
    const proof = await proofToAdd(clients, userToken, mine, wallet);
    await world.collection('sessions').updateOne({ _id: String(decodeJwt(userToken)['sid']) }, { $set: { revokedAt: new Date() } });
    await expect(post(userToken, proof)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const { accessToken: old } = await signIn(clients, wallet);
    world.clock.advanceSeconds(301);
    await expect(post(old, proof)).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const removal = clients.wallets.removeWallet({ address: other.address }, as(old));
    await expect(removal).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
  });
});

describe('the cooling time', () => {
  it('lets a new wallet sign in at once, and approve and remove wallets afterwards', async () => {
    const { wallet, userToken, userId } = await newUser(clients);
    const other = newWallet();
    const { wallet: added } = await post(userToken, await proofToAdd(clients, userToken, other, wallet));
    const [first, second] = await walletsOf(userToken);
    expect(second).toEqual(added);
    const from = Number(added?.approvesFrom?.seconds);
    expect(from - Math.floor(world.clock.now().getTime() / 1000)).toBeGreaterThan(COOLING_SECONDS - 60);
    expect(Number(first?.approvesFrom?.seconds)).toBeLessThan(from);

    const { accessToken } = await signIn(clients, other);
    expect(decodeJwt(accessToken)['uid']).toBe(userId);
    const third = newWallet();
    await expect(post(accessToken, await proofToAdd(clients, accessToken, third, other))).rejects.toMatchObject({ code: 'WALLET_COOLING' });
    await post(userToken, await proofToAdd(clients, userToken, third, wallet));
    const remove = (token: string, { address }: PrivateKeyAccount, by: PrivateKeyAccount) => removeApproved(clients, token, address, by);
    await expect(remove(accessToken, third, wallet)).rejects.toMatchObject({ code: 'WALLET_COOLING' });
    const { accessToken: thirds } = await signIn(clients, third);
    await remove(thirds, third, third);

    world.clock.advanceSeconds(COOLING_SECONDS);
    const { accessToken: later } = await signIn(clients, other);
    await post(later, await proofToAdd(clients, later, third, other));
    expect(await walletsOf(later)).toHaveLength(3);
  });

  it('starts again when a wallet is removed and added again', async () => {
    const { wallet, userToken, other } = await withTwo();
    await removeApproved(clients, userToken, other.address, wallet);
    await post(userToken, await proofToAdd(clients, userToken, other, wallet));
    const { accessToken } = await signIn(clients, other);
    const proof = await proofToAdd(clients, accessToken, newWallet(), other);
    await expect(post(accessToken, proof)).rejects.toMatchObject({ code: 'WALLET_COOLING' });
  });
});

describe('the primary wallet', () => {
  const promote = async (token: string, wallet: PrivateKeyAccount, by = wallet) =>
    clients.wallets.makeWalletPrimary(
      { wallet: wallet.address, approval: await approve(clients, token, wallet.address, by, WalletChange.MAKE_PRIMARY) },
      as(token),
    );

  it('can be replaced by another wallet, and stays the owner of the Safe, which cannot be removed', async () => {
    const { wallet: former, other, email } = await withTwo();
    const { accessToken } = await signIn(clients, other);
    expect((await promote(accessToken, other)).wallet).toMatchObject({ address: other.address, primary: true });
    expect((await walletsOf(accessToken)).map(({ address, primary }) => [address, primary])).toEqual([
      [other.address, true],
      [former.address, false],
    ]);
    await expect(clients.wallets.removeWallet({ address: former.address }, as(accessToken))).rejects.toMatchObject({
      code: 'WALLET_IS_OWNER',
    });
    await expect
      // A mail is sent at least once: the clock may pass the time of a repeat while the first one is on its way.
      .poll(async () => [...new Set(await mailsTo(email))], PATIENTLY)
      .toEqual([
        expect.stringContaining(`${other.address} is now the primary wallet`),
        expect.stringContaining(`${other.address} can now sign in`),
      ]);
  });

  it('is replaced only by a wallet of the user that signs itself and whose cooling time is over', async () => {
    const { wallet, userToken, other } = await withTwo();
    await expect(promote(userToken, other, wallet)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await expect(promote(userToken, newWallet())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const adding = await approve(clients, userToken, other.address, other, WalletChange.ADD);
    const request = { wallet: other.address, approval: adding };
    await expect(clients.wallets.makeWalletPrimary(request, as(userToken))).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    const fresh = newWallet();
    await post(userToken, await proofToAdd(clients, userToken, fresh, wallet));
    await expect(promote(userToken, fresh)).rejects.toMatchObject({ code: 'WALLET_COOLING' });
    const unspecified = clients.wallets.createWalletChallenge({ wallet: other.address }, as(userToken));
    await expect(unspecified).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('is one wallet after concurrent and repeated changes, and a used approval changes nothing', async () => {
    const { wallet, userToken, other } = await withTwo();
    const approval = await approve(clients, userToken, other.address, other, WalletChange.MAKE_PRIMARY);
    const toOther = () => clients.wallets.makeWalletPrimary({ wallet: other.address, approval }, as(userToken));
    await Promise.all(Array.from({ length: 8 }, toOther));
    await toOther();
    await promote(userToken, wallet);
    await expect(toOther()).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    const approvals = await Promise.all(
      [wallet, other].map((one) => approve(clients, userToken, one.address, one, WalletChange.MAKE_PRIMARY)),
    );
    await Promise.allSettled(
      [wallet, other].map(({ address }, index) =>
        clients.wallets.makeWalletPrimary({ wallet: address, approval: approvals[index] ?? '' }, as(userToken)),
      ),
    );
    expect((await walletsOf(userToken)).filter(({ primary }) => primary)).toHaveLength(1);
  });
});

describe('the mails', () => {
  it('are sent by another instance after a kill, and again after the mail server failed', async () => {
    const failing = await world.start({ mailer: { send: () => Promise.reject(new Error('the mail server is unavailable')) } });
    const { wallet, userToken, email } = await newUser(clients);
    const other = newWallet();
    await post(userToken, await proofToAdd(clients, userToken, other, wallet), world.clientsOf(failing.url));
    await failing.close();
    world.clock.advanceSeconds(31);
    await expect.poll(() => mailsTo(email), PATIENTLY).toEqual([expect.stringContaining(other.address)]);
    await expect
      .poll(async () => world.collection('users').findOne({ wallets: { $elemMatch: { address: wallet.address } } }), PATIENTLY)
      .not.toHaveProperty('noticesDueAt');
  });
});
