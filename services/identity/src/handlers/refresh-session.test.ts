import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';

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

const refresh = async (refreshToken: string) => {
  const { tokens } = await clients.auth.refreshSession({ refreshToken });
  if (tokens === undefined) throw new Error('no tokens');
  return tokens;
};

describe('RefreshSession', () => {
  it('returns the next pair of the same session', async () => {
    const first = await signIn(clients, newWallet());
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    const [before, after] = [decodeJwt(first.accessToken), decodeJwt(second.accessToken)];
    expect(after).toMatchObject({ sub: before.sub, sid: before['sid'], pid: before['pid'] });
    expect(after.jti).not.toBe(before.jti);
    await expect(refresh(second.refreshToken)).resolves.toBeDefined();
  });

  it('returns the same successor to concurrent calls and within the grace period', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    const all = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
    const successors = new Set(all.map((tokens) => tokens.refreshToken));
    expect(successors.size).toBe(1);
    world.clock.advanceSeconds(10);
    expect(successors).toContain((await refresh(refreshToken)).refreshToken);
  });

  it('ends the session when a rotated token is used after the grace period', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    const next = await refresh(refreshToken);
    world.clock.advanceSeconds(11);
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'REFRESH_TOKEN_REUSED' });
    await expect(refresh(next.refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  it('recognizes a much older token as reused', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    let newest = refreshToken;
    for (let round = 0; round < 4; round += 1) newest = (await refresh(newest)).refreshToken;
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'REFRESH_TOKEN_REUSED' });
    await expect(refresh(newest)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  it('ends seven days after the last use', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    world.clock.advanceSeconds(7 * 86_400 - 1);
    const next = await refresh(refreshToken);
    world.clock.advanceSeconds(7 * 86_400);
    await expect(refresh(next.refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  it('ends 90 days after the sign-in, together with its access tokens, however often it is refreshed', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    const endsAt = world.clock.now().getTime() / 1000 + 90 * 86_400;
    let newest = refreshToken;
    for (let week = 0; week < 14; week += 1) {
      world.clock.advanceSeconds(6 * 86_400);
      newest = (await refresh(newest)).refreshToken;
    }
    world.clock.advanceSeconds(6 * 86_400 - 60);
    const last = await refresh(newest);
    expect(Number(decodeJwt(last.accessToken).exp)).toBe(Math.floor(endsAt));
    world.clock.advanceSeconds(60);
    await expect(refresh(last.refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  it('ends sessions that are older than a newly configured lifetime', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    const strict = world.clientsOf((await world.start({}, { SESSION_MAX_DAYS: '1' })).url);
    world.clock.advanceSeconds(86_400);
    await expect(strict.auth.refreshSession({ refreshToken })).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    await expect(refresh(refreshToken)).resolves.toBeDefined();
  });

  it('rejects a token that identity did not issue', async () => {
    const { refreshToken } = await signIn(clients, newWallet());
    const { refreshToken: foreign } = await signIn(clients, newWallet());
    const [sid = '', generation = '', proof = ''] = refreshToken.split('.');
    const [, , foreignProof = ''] = foreign.split('.');
    const bad = [
      '',
      'garbage',
      `${sid}.${generation}.${foreignProof}`,
      `${sid}.1.${proof}`,
      `00000000-0000-7000-8000-000000000000.0.${proof}`,
      `${refreshToken}x`,
      'x'.repeat(10_000),
    ];
    for (const token of bad) await expect(refresh(token)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    await expect(refresh(refreshToken)).resolves.toBeDefined();
  });

  it('returns a user token once the wallet of the session is registered', async () => {
    const { userId, refreshToken, wallet } = await newUser(clients);
    const tokens = await refresh(refreshToken);
    expect(tokens.userId).toBe(userId);
    expect(decodeJwt(tokens.accessToken)['uid']).toBe(userId);
    expect((await signIn(clients, wallet)).userId).toBe(userId);
  });

  it('returns the user of a wallet only at the partner where it registered', async () => {
    const { wallet } = await newUser(clients);
    const elsewhere = await signIn(clients, wallet, 'other.example.com', 'https://other.example.com/');
    expect(elsewhere.userId).toBe('');
    expect(decodeJwt(elsewhere.accessToken)).not.toHaveProperty('uid');
  });
});
