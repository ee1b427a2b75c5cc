import { randomUUID } from 'node:crypto';
import { WalletRecoveryStatus } from '@florin/proto/identity/v1/wallet_recovery_service';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proofToAdd, removeApproved } from '../testing/wallets.ts';
import { as, type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';
import type { WalletParts } from '../wallets/parts.ts';

const COOLING_SECONDS = 3600;
const PATIENTLY = { timeout: 20_000 };

let world: World;
let clients: Clients;

beforeAll(async () => {
  world = await createWorld({ WALLET_COOLING_SECONDS: String(COOLING_SECONDS) });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(() => world?.close());

type Ordered = { userId: string; lostWallet: string; replacementWallet: string };

const order = async (input: Ordered, more: object = {}) => {
  const request = { recoveryId: randomUUID(), actor: 'ann', reason: 'stolen, ticket 12', ...input, ...more };
  return (await clients.recoveries.createWalletRecovery(request)).recovery;
};
const approve = async (recoveryId: string, actor = 'bob', at = clients) =>
  (await at.recoveries.approveWalletRecovery({ recoveryId, actor })).recovery;
const addressesOf = async (userId: string) => {
  const { user } = await clients.threeds.getUser({ userId });
  return user?.wallets.map(({ address, primary }) => [address, primary]);
};
const mailsTo = async (email: string) =>
  (await clients.sandbox.listOutboxMessages({ to: email })).messages.filter(({ code }) => code === '').map(({ text }) => text);

describe('the recovery of a lost wallet', () => {
  it('replaces the only wallet, ends its sessions, and mails the user when it is ordered and when it is done', async () => {
    const { userId, wallet, userToken, email } = await newUser(clients);
    const fresh = newWallet();
    const ordered = await order({ userId, lostWallet: wallet.address.toLowerCase(), replacementWallet: fresh.address });
    expect(ordered).toMatchObject({ status: WalletRecoveryStatus.PENDING, lostWallet: wallet.address, actor: 'ann' });
    await expect.poll(() => mailsTo(email), PATIENTLY).toEqual([expect.stringContaining('was asked to replace')]);
    expect(await addressesOf(userId)).toEqual([[wallet.address, true]]);

    const done = await approve(ordered?.id ?? '');
    expect(done).toMatchObject({ status: WalletRecoveryStatus.COMPLETED, approvedBy: 'bob' });
    expect(await addressesOf(userId)).toEqual([[fresh.address, true]]);
    await expect(clients.users.getCurrentUser({}, as(userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const { accessToken } = await signIn(clients, fresh);
    expect(decodeJwt(accessToken)['uid']).toBe(userId);
    expect(decodeJwt((await signIn(clients, wallet)).accessToken)).not.toHaveProperty('uid');
    await expect.poll(async () => (await mailsTo(email)).length, PATIENTLY).toBe(2);
    expect((await mailsTo(email))[0]).toContain(`replaced the wallet ${wallet.address}`);
    // The replacement begins with a cooling time.
    const proof = await proofToAdd(clients, accessToken, newWallet(), fresh);
    await expect(clients.wallets.addWallet(proof, as(accessToken))).rejects.toMatchObject({ code: 'WALLET_COOLING' });
    await expect(newUser(clients, wallet)).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
  });

  it('puts another wallet of the user in its place', async () => {
    const { userId, wallet, userToken } = await newUser(clients);
    const other = newWallet();
    await clients.wallets.addWallet(await proofToAdd(clients, userToken, other, wallet), as(userToken));
    const ordered = await order({ userId, lostWallet: wallet.address, replacementWallet: other.address });
    expect(await approve(ordered?.id ?? '')).toMatchObject({ status: WalletRecoveryStatus.COMPLETED });
    expect(await addressesOf(userId)).toEqual([[other.address, true]]);
  });

  it('takes two people, however the second one spells the first one’s name', async () => {
    const { userId, wallet } = await newUser(clients);
    const ordered = await order({ userId, lostWallet: wallet.address, replacementWallet: newWallet().address });
    for (const actor of ['ann', 'ANN', 'a\u200bnn', 'ａnn'])
      await expect(approve(ordered?.id ?? '', actor)).rejects.toMatchObject({ code: 'SELF_APPROVAL' });
    expect(await addressesOf(userId)).toEqual([[wallet.address, true]]);
  });

  it('is carried out once by concurrent approvals, and decided once between approval and rejection', async () => {
    const { userId, wallet } = await newUser(clients);
    const fresh = newWallet();
    const id = (await order({ userId, lostWallet: wallet.address, replacementWallet: fresh.address }))?.id ?? '';
    const results = await Promise.allSettled([
      approve(id),
      approve(id),
      approve(id, 'cid'),
      clients.recoveries.rejectWalletRecovery({ recoveryId: id, actor: 'dan' }),
    ]);
    const { recovery } = await clients.recoveries.getWalletRecovery({ recoveryId: id });
    const isReplaced = recovery?.status === WalletRecoveryStatus.COMPLETED;
    expect(recovery?.status).toBe(isReplaced ? WalletRecoveryStatus.COMPLETED : WalletRecoveryStatus.REJECTED);
    expect(await addressesOf(userId)).toEqual([[isReplaced ? fresh.address : wallet.address, true]]);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'RECOVERY_STATE_CONFLICT' });
    const after = isReplaced ? clients.recoveries.rejectWalletRecovery({ recoveryId: id, actor: 'dan' }) : approve(id);
    await expect(after).rejects.toMatchObject({ code: 'RECOVERY_STATE_CONFLICT' });
  });

  it('is idempotent by its id and rejects other content, unknown wallets and users', async () => {
    const [one, two] = [await newUser(clients), await newUser(clients)];
    const input = { userId: one.userId, lostWallet: one.wallet.address, replacementWallet: newWallet().address };
    const recoveryId = randomUUID();
    await order(input, { recoveryId });
    await order(input, { recoveryId });
    await expect(order(input, { recoveryId, reason: 'another one' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await expect(order({ ...input, lostWallet: two.wallet.address })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(order({ ...input, userId: randomUUID() })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    for (const bad of [
      { replacementWallet: input.replacementWallet.toLowerCase() },
      { replacementWallet: input.lostWallet },
      { reason: ' ' },
      { actor: '' },
      { recoveryId: 'x' },
    ])
      await expect(order(input, bad)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(approve(randomUUID())).rejects.toMatchObject({ code: 'RECOVERY_NOT_FOUND' });
    const unscoped = { recoveryId, ...input, actor: 'ann', reason: 'stolen' };
    await expect(clients.recoveriesAsGateway.createWalletRecovery(unscoped)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('fails without a change when the replacement belongs to another user', async () => {
    const [one, two] = [await newUser(clients), await newUser(clients)];
    const ordered = await order({ userId: one.userId, lostWallet: one.wallet.address, replacementWallet: two.wallet.address });
    const failed = await approve(ordered?.id ?? '');
    expect(failed).toMatchObject({ status: WalletRecoveryStatus.FAILED, failureCode: 'WALLET_IN_USE' });
    expect(await addressesOf(one.userId)).toEqual([[one.wallet.address, true]]);
    expect(await addressesOf(two.userId)).toEqual([[two.wallet.address, true]]);
  });

  it.each(['find', 'replaceWallet', 'leavingWallets'] as const)('is finished by another instance after a kill at %s', async (at) => {
    let armed = false;
    const around = (parts: WalletParts): WalletParts => {
      const call = parts.users[at] as (...args: unknown[]) => Promise<unknown>;
      const dying = (...args: unknown[]) => (armed ? Promise.reject(new Error('killed')) : call(...args));
      return { ...parts, users: { ...parts.users, [at]: dying } };
    };
    const mortal = await world.start({ aroundWallets: around });
    const { userId, wallet } = await newUser(clients);
    const fresh = newWallet();
    const id = (await order({ userId, lostWallet: wallet.address, replacementWallet: fresh.address }))?.id ?? '';
    armed = true;
    await expect(approve(id, 'bob', world.clientsOf(mortal.url))).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await mortal.close();
    await expect
      .poll(async () => (await clients.recoveries.getWalletRecovery({ recoveryId: id })).recovery?.status, PATIENTLY)
      .toBe(WalletRecoveryStatus.COMPLETED);
    expect(await addressesOf(userId)).toEqual([[fresh.address, true]]);
  });

  const accountOf = (userId: string): string =>
    [...world.ledger.accounts].find(([, account]) => account.userId === userId)?.[0] ?? expect.fail('the account was opened');

  it('stops the account whose Safe belongs to the lost wallet before the replacement can use it, and no other account', async () => {
    const { userId, wallet, userToken } = await newUser(clients);
    const [other, fresh] = [newWallet(), newWallet()];
    await clients.wallets.addWallet(await proofToAdd(clients, userToken, other, wallet), as(userToken));
    await approve((await order({ userId, lostWallet: other.address, replacementWallet: newWallet().address }))?.id ?? '');
    expect(world.ledger.ownerRevoked).not.toContain(accountOf(userId));

    const id = (await order({ userId, lostWallet: wallet.address, replacementWallet: fresh.address }))?.id ?? '';
    world.ledger.failing.add('revokeSafeOwner');
    await expect(approve(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await addressesOf(userId)).toContainEqual([wallet.address, true]);
    world.ledger.failing.delete('revokeSafeOwner');
    expect(await approve(id)).toMatchObject({ status: WalletRecoveryStatus.COMPLETED });
    expect(world.ledger.ownerRevoked).toContain(accountOf(userId));
  });

  it('keeps the wallet that is to own the Safe from being removed', async () => {
    const { userId, wallet, userToken } = await newUser(clients);
    const [main, fresh] = [newWallet(), newWallet()];
    await clients.wallets.addWallet(await proofToAdd(clients, userToken, main, wallet), as(userToken));
    await world
      .collection('users')
      .updateOne(
        { _id: userId },
        { $set: { 'wallets.$[one].primary': false, 'wallets.$[other].primary': true } },
        { arrayFilters: [{ 'one.address': wallet.address }, { 'other.address': main.address }] },
      );
    const id = (await order({ userId, lostWallet: wallet.address, replacementWallet: fresh.address }))?.id ?? '';
    await approve(id);
    world.clock.advanceSeconds(COOLING_SECONDS + 1);
    const { accessToken } = await signIn(clients, main);
    await expect(removeApproved(clients, accessToken, fresh.address, main)).rejects.toMatchObject({ code: 'WALLET_IS_OWNER' });
  });

  it('stops the accounts of recoveries that an older release completed', async () => {
    const { userId, wallet } = await newUser(clients);
    const id = (await order({ userId, lostWallet: wallet.address, replacementWallet: newWallet().address }))?.id ?? '';
    await approve(id);
    world.ledger.ownerRevoked.delete(accountOf(userId));
    await world.collection('wallet_recoveries').updateOne({ _id: id }, { $unset: { ownerRevoked: 1 } });
    await expect.poll(() => [...world.ledger.ownerRevoked], PATIENTLY).toContain(accountOf(userId));
  });

  it('tells the ledger of those that an older release completed in the order in which they were made', async () => {
    const recoveries = world.collection('wallet_recoveries');
    const accounts: string[] = [];
    world.ledger.failing.add('revokeSafeOwner');
    for (const createdAt of [new Date(2000), new Date(1000)]) {
      const { userId, wallet } = await newUser(clients);
      const id = (await order({ userId, lostWallet: wallet.address, replacementWallet: newWallet().address }))?.id ?? '';
      await recoveries.updateOne({ _id: id }, { $set: { status: 'completed', createdAt } });
      accounts.push(accountOf(userId));
    }
    world.ledger.failing.delete('revokeSafeOwner');
    const told = () => [...world.ledger.ownerRevoked].filter((id) => accounts.includes(id));
    await expect.poll(() => told().length, PATIENTLY).toBe(2);
    expect(told()).toEqual(accounts.toReversed());
  });

  it('is listed newest first, page by page, by status', async () => {
    const { userId, wallet } = await newUser(clients);
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      world.clock.advanceSeconds(1);
      made.unshift((await order({ userId, lostWallet: wallet.address, replacementWallet: newWallet().address }))?.id ?? '');
    }
    const status = WalletRecoveryStatus.PENDING;
    const first = await clients.recoveries.listWalletRecoveries({ status, page: { limit: 2 } });
    const next = await clients.recoveries.listWalletRecoveries({ status, page: { limit: 2, cursor: first.page?.nextCursor ?? '' } });
    expect([...first.recoveries, ...next.recoveries].map(({ id }) => id).slice(0, 3)).toEqual(made);
    const malformed = clients.recoveries.listWalletRecoveries({ page: { limit: 2, cursor: 'x' } });
    await expect(malformed).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
