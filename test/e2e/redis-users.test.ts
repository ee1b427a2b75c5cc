import { randomBytes } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { REDIS_PROCESSES, type RedisProcess, redisRules } from '@florin/local';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

const { redisUrl } = testEngines();
/** Users of this run: others may use the same engine. */
const prefix = `test-${randomBytes(6).toString('hex')}`;
const userOf = (name: RedisProcess): string => `${prefix}-${name}`;
const urlOf = (name: RedisProcess): string => {
  const url = new URL(redisUrl);
  url.username = userOf(name);
  url.password = prefix;
  return url.href;
};

let admin: Redis;
let platform: PlatformInProcess;
beforeAll(async () => {
  admin = await openRedis(redisUrl, quietLogger);
  for (const name of REDIS_PROCESSES)
    await admin.sendCommand(['ACL', 'SETUSER', userOf(name), 'reset', 'on', `>${prefix}`, ...redisRules(name)]);
  platform = await startPlatformInProcess({}, { events: {}, redisUrlOf: urlOf });
}, 120_000);
afterAll(async () => {
  await platform?.close();
  await admin.sendCommand(['ACL', 'DELUSER', ...REDIS_PROCESSES.map(userOf)]);
  admin.destroy();
});

/** What Redis refused to users of this run. */
const refused = async (): Promise<string[]> => {
  const entries = (await admin.sendCommand(['ACL', 'LOG', '128'])) as unknown as { username: string; reason: string; object: string }[];
  return entries
    .filter(({ username }) => username.startsWith(prefix))
    .map(({ username, reason, object }) => `${username} ${reason} ${object}`);
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

  it.each(REDIS_PROCESSES)('reaches neither what others keep nor the server: %s', async (name) => {
    const own = await openRedis(urlOf(name), quietLogger);
    const others = REDIS_PROCESSES.filter((other) => other !== name);
    const attempts = [
      ...others.flatMap((other) => [
        ['SET', `florin:${other}:${prefix}`, '1'],
        ['GET', `florin:${other}:${prefix}`],
        ['XADD', `florin:events:${other}`, '*', 'id', '1'],
        ['XRANGE', `florin:events:${other}`, '-', '+'],
        ['EVAL', "return redis.call('get', KEYS[1])", '1', `florin:${other}:${prefix}`],
        ['EVAL', `return redis.call('get', 'florin:${other}:${prefix}')`, '0'],
      ]),
      ...(name === 'identity' ? [] : [['XADD', 'florin:revoked-sessions', '*', 'sid', 'x']]),
      ...(name === 'identity' ? [] : [['DEL', 'florin:revoked-sessions']]),
      ...(name === 'events' ? [] : [['XADD', 'florin:feeds', '*', 'feed', 'x']]),
      ['KEYS', '*'],
      ['SCAN', '0'],
      ['FLUSHALL'],
      ['CONFIG', 'GET', '*'],
      ['ACL', 'LIST'],
      ['MONITOR'],
      ['CLIENT', 'LIST'],
      ['CLIENT', 'KILL', 'TYPE', 'normal'],
      ['SCRIPT', 'FLUSH'],
      ['FUNCTION', 'LIST'],
      ['PUBLISH', 'channel', 'x'],
      ['SUBSCRIBE', 'channel'],
      ['SHUTDOWN'],
      ['REPLICAOF', 'NO', 'ONE'],
    ];
    for (const attempt of attempts)
      await expect(own.sendCommand(attempt), attempt.join(' ')).rejects.toThrow(/NOPERM|No permissions|can't access/i);
    own.destroy();
  });
});
