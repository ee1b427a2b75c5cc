import { randomUUID } from 'node:crypto';
import { REVOKED_SESSIONS_PATH, REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { walletSessions } from '@florin/rpc/auth';
import { waitFor } from '@florin/rpc/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proofToAdd, removeApproved } from '../testing/wallets.ts';
import { as, type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';

let world: World;
let url: string;
let clients: Clients;
let neighbour: Clients;

beforeAll(async () => {
  world = await createWorld();
  ({ url } = await world.start());
  clients = world.clientsOf(url);
  neighbour = world.clientsOf((await world.start()).url);
});
afterAll(() => world?.close());

/** A user with a second wallet. */
const withTwo = async () => {
  const user = await newUser(clients);
  const other = newWallet();
  const add = async () => clients.wallets.addWallet(await proofToAdd(clients, user.userToken, other, user.wallet), as(user.userToken));
  await add();
  return { ...user, other, add, remove: () => removeApproved(clients, user.userToken, other.address, user.wallet) };
};

const announced = async (): Promise<string[]> =>
  ((await world.redis.xRange(REVOKED_SESSIONS_STREAM, '-', '+')) ?? []).flatMap(({ message }) => message['sid'] ?? []);
const isRefused = (at: Clients, token: string) =>
  at.sessions.listSessions({}, as(token)).then(
    () => undefined,
    (error: { code: string }) => error.code === 'UNAUTHORIZED' || undefined,
  );

/** Sessions of a wallet as a year of sign-ins leaves them, and some that can still be refreshed. */
const insertOld = (wallet: string, count: number) =>
  world.collection('sessions').insertMany(
    Array.from({ length: count }, (_, index) => ({
      _id: randomUUID(),
      wallet,
      partnerId: 'florin',
      epoch: 0,
      salt: 'x',
      generation: 0,
      createdAt: world.clock.now(),
      lastUsedAt: world.clock.now(),
      expiresAt: new Date(world.clock.now().getTime() + 3_600_000),
      ...(index % 2 === 0 ? { open: true } : { revokedAt: world.clock.now() }),
    })),
  );

describe('the removal of a wallet', () => {
  it('ends two thousand sessions by one write and one name to announce', async () => {
    const { other, remove } = await withTwo();
    await insertOld(other.address, 2000);
    const { accessToken, refreshToken } = await signIn(clients, other);
    const own = new Set((await world.collection('sessions').find({ wallet: other.address }).toArray()).map(({ _id }) => String(_id)));
    // Other tests share the stream.
    const before = new Set(await announced());
    await remove();
    const isNew = (name: string) => !before.has(name) && (own.has(name) || name.includes(other.address.toLowerCase()));
    // A round of either instance may announce it at the same time as the removal does.
    const names = new Set((await announced()).filter(isNew));
    expect([...names]).toEqual([walletSessions({ partnerId: 'florin', wallet: other.address, epoch: 0 })]);
    expect(await world.collection('sessions').findOne({ _id: String(decodeJwt(accessToken)['sid']) })).not.toHaveProperty('revokedAt');
    for (const at of [clients, neighbour]) {
      await waitFor('the refusal', () => isRefused(at, accessToken));
      await expect(at.auth.refreshSession({ refreshToken })).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    }
    // The next owner of the wallet sees none of them.
    const next = await signIn(clients, other);
    expect((await clients.sessions.listSessions({}, as(next.accessToken))).sessions).toHaveLength(1);
  });

  it('leaves no token that a refresh at the same moment issued', async () => {
    const { other, add, remove } = await withTwo();
    for (let round = 0; round < 3; round += 1) {
      const sessions = await Promise.all([signIn(clients, other), signIn(neighbour, other), signIn(clients, other)]);
      const [, ...refreshed] = await Promise.allSettled([
        remove(),
        ...sessions.map(({ refreshToken }, index) => (index % 2 === 0 ? clients : neighbour).auth.refreshSession({ refreshToken })),
      ]);
      const tokens = [
        ...sessions.map(({ accessToken }) => accessToken),
        ...refreshed.flatMap((one) => (one.status === 'fulfilled' ? [one.value.tokens?.accessToken ?? ''] : [])),
      ];
      const refreshTokens = [
        ...sessions.map(({ refreshToken }) => refreshToken),
        ...refreshed.flatMap((one) => (one.status === 'fulfilled' ? [one.value.tokens?.refreshToken ?? ''] : [])),
      ];
      for (const at of [clients, neighbour]) for (const token of tokens) await waitFor('the refusal', () => isRefused(at, token));
      for (const refreshToken of refreshTokens)
        await expect(neighbour.auth.refreshSession({ refreshToken })).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
      // A session of the next epoch lives.
      const { accessToken, refreshToken } = await signIn(clients, other);
      expect(decodeJwt(accessToken)['wep']).toBe(round + 1);
      expect((await neighbour.auth.refreshSession({ refreshToken })).tokens?.accessToken).toBeDefined();
      await add();
    }
  });

  it('is honoured by a process that starts later, with and without Redis having kept it', async () => {
    const { other, remove } = await withTwo();
    const { accessToken } = await signIn(clients, other);
    await remove();
    const name = walletSessions({ partnerId: 'florin', wallet: other.address, epoch: 0 });
    expect(((await (await fetch(new URL(REVOKED_SESSIONS_PATH, url))).json()) as { sessions: string[] }).sessions).toContain(name);
    const later = world.clientsOf((await world.start()).url);
    await waitFor('the refusal', () => isRefused(later, accessToken));
    const forgetful = await world.start({}, { REDIS_URL: world.emptyRedisUrl });
    await waitFor('the refusal', () => isRefused(world.clientsOf(forgetful.url), accessToken));
    await forgetful.close();
  });

  it('is announced by another instance when the process is killed before announcing it', async () => {
    const { other } = await withTwo();
    const hanging = await world.start({ publishRevocations: () => new Promise<never>(() => undefined) });
    const { accessToken } = await signIn(clients, other);
    const { userToken, wallet } = await newUser(clients);
    const mine = newWallet();
    await clients.wallets.addWallet(await proofToAdd(clients, userToken, mine, wallet), as(userToken));
    await removeApproved(world.clientsOf(hanging.url), userToken, mine.address, wallet);
    const name = walletSessions({ partnerId: 'florin', wallet: mine.address, epoch: 0 });
    await waitFor('the announcement', async () => ((await announced()).includes(name) ? true : undefined));
    expect(await isRefused(clients, accessToken)).toBeUndefined();
  });
});
