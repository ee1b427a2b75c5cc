import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { createRemoteUserKeys, createUserTokenVerifier, JWKS_PATH } from '@florin/rpc/auth';
import { waitFor } from '@florin/rpc/testing';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHED_AFTER_MS, PUBLISHED_AHEAD_MS } from '../domain/signing-key-times.ts';
import { as, type Clients, createWorld, newWallet, signIn, type World } from '../testing/world.ts';

let world: World;
let urls: string[];
let clients: Clients[];

beforeAll(async () => {
  world = await createWorld();
  urls = [(await world.start()).url, (await world.start()).url];
  clients = urls.map((url) => world.clientsOf(url));
});
afterAll(() => world.close());

const any = (index: number): Clients => {
  const found = clients[index % clients.length];
  if (found === undefined) throw new Error('no instance');
  return found;
};

const kidsAt = async (url: string): Promise<string[]> =>
  ((await (await fetch(new URL(JWKS_PATH, url))).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
const untilKids = (what: string, isThere: (kids: string[]) => boolean) =>
  waitFor(what, async () => ((await Promise.all(urls.map(kidsAt))).every(isThere) ? true : undefined));
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

/** People who sign in and use what they got, at both instances and at a verifier that fetches its keys, until `stop`. */
const startUse = () => {
  const verifiers = urls.map((url) => createUserTokenVerifier(createRemoteUserKeys(url, { cooldownMs: 50 }), world.clock.now));
  const tokens: string[] = [];
  let stopped = false;
  let uses = 0;
  const use = async (index: number): Promise<void> => {
    while (!stopped) {
      const { accessToken } = await signIn(any(index), newWallet());
      tokens.push(accessToken);
      const older = tokens[Math.floor(tokens.length / 2)] ?? accessToken;
      for (const token of [accessToken, older]) {
        await Promise.all(verifiers.map((verify) => verify(token)));
        for (const instance of clients) await instance.sessions.listSessions({}, as(token));
      }
      uses += 1;
    }
  };
  const running = Promise.all([use(0), use(1)]);
  // A failure is told by `stop`, and not before somebody listens.
  running.catch(() => undefined);
  return {
    some: async () => {
      const before = uses;
      await Promise.race([running, waitFor('some use', async () => (uses >= before + 4 ? true : undefined))]);
    },
    stop: async () => {
      stopped = true;
      await running;
      return { kids: [...new Set(tokens.map(kidOf))] };
    },
  };
};

describe('RotateSigningKey', () => {
  it('goes unnoticed, twice, while two instances and verifiers serve', async () => {
    const use = startUse();
    await use.some();
    const made: string[] = [];
    for (const round of [0, 1]) {
      const { kid } = await any(round).keys.rotateSigningKey({});
      made.push(kid);
      await untilKids('the new key at every instance', (kids) => kids.includes(kid));
      await use.some();
      world.clock.advanceSeconds(PUBLISHED_AHEAD_MS / 1000);
      await use.some();
      expect(kidOf((await signIn(any(round + 1), newWallet())).accessToken)).toBe(kid);
    }
    const { kids } = await use.stop();
    expect(kids).toHaveLength(3);
    expect(kids.slice(1)).toEqual(made);

    world.clock.advanceSeconds(PUBLISHED_AFTER_MS / 1000);
    await untilKids('only the newest key', (left) => left.length === 1 && left[0] === made[1]);
    expect(await world.collection('signing_keys').countDocuments({})).toBe(1);
    expect((await signIn(any(0), newWallet())).accessToken).toBeDefined();
  });

  it('answers the pending key as often as it is asked, at whatever instance, also at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => any(index).keys.rotateSigningKey({})));
    expect(new Set(answers.map(({ kid }) => kid)).size).toBe(1);
    const [{ signsFrom } = {}] = answers;
    expect(Number(signsFrom?.seconds) * 1000).toBeGreaterThan(world.clock.now().getTime());
    expect((await any(1).keys.rotateSigningKey({})).kid).toBe(answers[0]?.kid);
    expect(await world.collection('signing_keys').countDocuments({})).toBe(2);
    expect(kidOf((await signIn(any(0), newWallet())).accessToken)).not.toBe(answers[0]?.kid);
  });

  it('is for operators only', async () => {
    const headers = { authorization: `Bearer ${await world.authority.serviceToken('gateway', 'identity', [IDENTITY_SCOPES.signIn])}` };
    await expect(any(0).keys.rotateSigningKey({}, { headers })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('publishes nothing private', async () => {
    const text = await (await fetch(new URL(JWKS_PATH, urls[0]))).text();
    expect(text).not.toMatch(/"d"|sealed/);
  });
});
