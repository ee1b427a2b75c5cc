import { randomBytes } from 'node:crypto';
import { versionedKeys } from '@florin/rpc/config';
import { createSealer } from '@florin/rpc/crypto';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deriveKey } from '../crypto/derive-key.ts';
import { as, type Clients, createWorld, newWallet, signIn, type World } from '../testing/world.ts';
import { createFileMasterKeys } from './file-master-keys.ts';

const newKey = (): string => randomBytes(32).toString('base64url');
/** Keys as the configuration names them, from `<id>:<key>,…`. */
const keysOf = (text: string): string =>
  JSON.stringify(text.split(',').map((part) => ({ id: part.split(':')[0], key: part.split(':')[1] })));
const manage = (text: string) => createFileMasterKeys(versionedKeys.parse(keysOf(text)));

describe('master keys', () => {
  const [one, two] = [newKey(), newKey()];

  it('encrypt with the first key and decrypt with all of them', async () => {
    const sealed = await manage(`a:${one}`).sealerFor('x').seal('secret', 'here');
    const both = manage(`b:${two},a:${one}`).sealerFor('x');
    expect(await both.open(sealed, 'here')).toBe('secret');
    expect(both.isCurrent(sealed)).toBe(false);
    const anew = await both.seal('secret', 'here');
    expect(both.isCurrent(anew)).toBe(true);
    expect(await manage(`b:${two}`).sealerFor('x').open(anew, 'here')).toBe('secret');
    await expect(manage(`a:${one}`).sealerFor('x').open(anew, 'here')).rejects.toThrow();
    await expect(both.open(anew, 'there')).rejects.toThrow();
    await expect(manage(`b:${two}`).sealerFor('y').open(anew, 'here')).rejects.toThrow();
  });

  it('decrypt what was sealed before keys had ids', async () => {
    const sealed = await createSealer(deriveKey(new Uint8Array(Buffer.from(one, 'base64url')), 'x')).seal('secret', 'here');
    expect(await manage(`b:${two},a:${one}`).sealerFor('x').open(sealed, 'here')).toBe('secret');
  });
});

describe('a change of the master key', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world?.close());

  it('keeps tokens and sessions while instances with the old and the new configuration serve, and seals stored keys anew', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const startWith = async (keys: string) => {
      const app = await world.start({}, { IDENTITY_MASTER_KEYS: keysOf(keys) });
      return { ...app, clients: world.clientsOf(app.url) };
    };
    const first = await startWith(`1:${old}`);
    const sealedOf = async () => (await world.collection('signing_keys').find({}).toArray()).map(({ sealed }) => String(sealed));
    let stopped = false;
    const uses = [0, 0, 0];
    const instances: Clients[] = [first.clients];
    const any = (): Clients => instances[Math.floor(Math.random() * instances.length)] ?? first.clients;
    const retire = async ({ close }: { close: () => Promise<void> }) => {
      instances.shift();
      // Calls that chose the instance before are done once every worker has made another one.
      await some();
      await close();
    };
    const use = async (worker: number) => {
      let tokens = await signIn(any(), newWallet());
      while (!stopped) {
        await any().sessions.listSessions({}, as(tokens.accessToken));
        tokens = (await any().auth.refreshSession({ refreshToken: tokens.refreshToken })).tokens ?? tokens;
        uses[worker] = (uses[worker] ?? 0) + 1;
      }
      return tokens;
    };
    const running = Promise.all([use(0), use(1), use(2)]);
    running.catch(() => undefined);
    const some = async () => {
      const before = [...uses];
      const isDone = () => uses.every((count, worker) => count > (before[worker] ?? 0) + 1);
      await Promise.race([running, waitFor('some use', async () => (isDone() ? true : undefined))]);
    };
    await some();
    // Every instance knows the new key before one encrypts with it.
    const second = await startWith(`1:${old},2:${fresh}`);
    instances.push(second.clients);
    await some();
    await retire(first);
    const third = await startWith(`2:${fresh},1:${old}`);
    instances.push(third.clients);
    const sealedAnew = () =>
      waitFor('the stored keys to be sealed anew', async () =>
        (await sealedOf()).every((text) => text.startsWith('2:')) ? true : undefined,
      );
    await sealedAnew();
    await some();
    await retire(second);
    // The instance before sealed with its own first key until it was closed.
    await sealedAnew();
    await some();
    stopped = true;
    const left = await running;
    // Refresh tokens of the old key are accepted as long as it is configured; here every one was exchanged since.
    const last = await startWith(`2:${fresh}`);
    for (const { accessToken } of left) await last.clients.sessions.listSessions({}, as(accessToken));
    for (const { refreshToken } of left) expect((await last.clients.auth.refreshSession({ refreshToken })).tokens).toBeDefined();
    await expect(startWith(`3:${newKey()}`)).rejects.toThrow('IDENTITY_MASTER_KEYS');
  });
});
