import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedis, type Redis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import {
  type Engines,
  ensureKeys,
  ensureRedisPasswords,
  PROCESS_NAMES,
  REDIS_PROCESSES,
  type RedisProcess,
  type SecretFiles,
  secretFiles,
  startEngines,
} from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAttacks } from '../pentest/attack.ts';
import { redisAttacks } from '../pentest/engine-attacks.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

/** Redis as `npm start` runs it, and the addresses that `npm run k8s-secrets` gives the processes. */
let engines: Engines;
let files: SecretFiles;
let dataDir: string;
const urlOf = (name: RedisProcess): string => files.processes[name]?.['redis-url'] ?? 'none';

let admin: Redis;
let platform: PlatformInProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-redis-'));
  const keys = await ensureKeys(dataDir);
  const { REDIS_URL: _given, ...env }: NodeJS.ProcessEnv = { ...processEnvironment(), MONGODB_URI: testEngines().mongodbUri };
  const redisPasswords = ensureRedisPasswords(keys.redisPasswordsFile);
  engines = await startEngines({ dataDir, env, report: () => undefined, redisPasswords });
  const { port } = new URL(engines.redisUrl);
  files = secretFiles(PROCESS_NAMES, keys, { mongodbUri: '', redisUrl: `redis://127.0.0.1:${port}` }, (path) => readFileSync(path, 'utf8'));
  admin = await openRedis(engines.redisUrl, quietLogger);
  platform = await startPlatformInProcess({}, { events: {}, redisUrlOf: urlOf });
}, 300_000);
afterAll(async () => {
  await platform?.close();
  admin?.destroy();
  await engines?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the commands that Redis rejected. */
const refused = async (): Promise<string[]> => {
  const entries = (await admin.sendCommand(['ACL', 'LOG', '128'])) as unknown as { username: string; reason: string; object: string }[];
  return entries.map(({ username, reason, object }) => `${username} ${reason} ${object}`);
};

describe('the user of a process', () => {
  it('may do all that the process does', async () => {
    const person = await registerPerson(platform.api);
    const cardId = await createCard(platform.api, person.token);
    const api = platform.api.as(person.token);
    await api.cards.freezeCard({ cardId });
    await api.kyc.createKycSession({});
    await api.auth.logoutAll({});
    await expect.poll(async () => (await platform.api.request('GET', '/user', { token: person.token })).status).toBe(401);
    expect(await refused()).toEqual([]);
  });

  it('is in the file that the manifests give to Redis', () => {
    expect(files.redis['user.acl']).toBe(readFileSync(join(dataDir, 'redis', 'users.acl'), 'utf8'));
  });

  it('is needed: nobody gets in without a name, or with the password of another one', async () => {
    const nobody = createConnection({ host: '127.0.0.1', port: Number(new URL(engines.redisUrl).port) });
    nobody.write('GET florin:gateway:secret\r\n');
    const [response] = (await once(nobody, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^-NOAUTH /);
    nobody.destroy();
    const own = await openRedis(urlOf('webhooks'), quietLogger);
    const { password } = new URL(urlOf('webhooks'));
    for (const other of ['default', 'gateway', 'vault'])
      await expect(own.sendCommand(['AUTH', other, password])).rejects.toThrow(/^WRONGPASS/);
    own.destroy();
  });

  it.each(REDIS_PROCESSES)('reaches neither what others keep nor the server: %s', async (name) => {
    const outcomes = await runAttacks(redisAttacks(name, urlOf(name)));
    expect(outcomes.length).toBeGreaterThan(60);
    expect(outcomes.filter(({ through }) => through !== undefined)).toEqual([]);
  });
});
