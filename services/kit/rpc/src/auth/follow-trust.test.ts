import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createTestAuthority, waitFor } from '../testing/index.ts';
import { type FollowedTrust, followServiceTrust } from './follow-trust.ts';

const directory = mkdtempSync(join(tmpdir(), 'florin-trust-'));
afterAll(() => rmSync(directory, { recursive: true }));

const followed: FollowedTrust[] = [];
afterEach(() => {
  for (const one of followed.splice(0)) one.close();
});

const follow = async () => {
  const { trust, serviceToken } = await createTestAuthority({ acs: ['threeds.read'], processor: ['card.write'] });
  const path = join(directory, `${followed.length}.json`);
  const write = (content: object | string): void => writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  write(trust);
  const warnings: object[] = [];
  const logger = { info: () => undefined, warn: (what: object) => void warnings.push(what) };
  const one = followServiceTrust({ SERVICE_TRUST: trust, SERVICE_TRUST_FILE: path }, logger as never, { checkIntervalMs: 5 });
  followed.push(one);
  const verify = one.verifierFor('threeds');
  const token = await serviceToken('acs', 'threeds', ['threeds.read']);
  const without = { clients: trust.clients.filter(({ name }) => name !== 'acs') };
  /** Waits until the token of the client is accepted, or rejected. */
  const until = (accepted: boolean) =>
    waitFor(accepted ? 'acceptance' : 'rejection', async () =>
      (await verify(token).then(
        () => true,
        () => false,
      )) === accepted
        ? true
        : undefined,
    );
  return { trust, one, write, verify, token, without, until, warnings };
};

it('rejects the tokens of a client from its removal on, also one that was accepted before, and accepts them when it is back', async () => {
  const { trust, one, write, verify, token, without, until } = await follow();
  await expect(verify(token)).resolves.toMatchObject({ name: 'acs', scopes: new Set(['threeds.read']) });
  write(without);
  await until(false);
  await expect(verify(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED', metadata: { tokenProblem: 'unknown_key' } });
  expect(one.current().clients.map(({ name }) => name)).not.toContain('acs');
  write(trust);
  await until(true);
});

it('takes scopes away', async () => {
  const { trust, write, verify, token } = await follow();
  await verify(token);
  write({ clients: trust.clients.map((client) => ({ ...client, scopes: [] })) });
  await waitFor('fewer scopes', async () => ((await verify(token)).scopes.size === 0 ? true : undefined));
});

it.each(['', '{', '{"clients":[{"name":"acs"}]}'])('keeps the clients, and says so once, while the file is %j', async (text) => {
  const { write, verify, token, without, until, warnings } = await follow();
  write(text);
  await waitFor('the warning', async () => (warnings.length > 0 ? true : undefined));
  await expect(verify(token)).resolves.toMatchObject({ name: 'acs' });
  expect(warnings).toEqual([{ code: 'not valid' }]);
  write(without);
  await until(false);
});

it('never changes the clients of a process without a file', async () => {
  const { trust, serviceToken } = await createTestAuthority({ acs: [] });
  const one = followServiceTrust({ SERVICE_TRUST: trust }, { info: () => undefined, warn: () => undefined } as never);
  expect(one.current()).toBe(trust);
  await expect(one.verifierFor('threeds')(await serviceToken('acs', 'threeds', []))).resolves.toMatchObject({ name: 'acs' });
  one.close();
});
