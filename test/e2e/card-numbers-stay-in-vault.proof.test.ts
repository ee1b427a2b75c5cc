import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@florin/local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '../support/api-client.ts';
import { type CardDetails, createCardDataApp } from '../support/card-data.ts';
import { dumpDatabases, dumpRedis } from '../support/dump-engines.ts';
import { pinsFor } from '../support/pins.ts';
import { canReadMemory, findInMemory } from '../support/process-memory.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { createCard, decide, raiseChallenge, registerPerson } from '../support/story.ts';

/** Real processes, so that each has a memory of its own, behind mutual TLS. */
let dataDir: string;
let platform: Platform;
let cardId: string;
let details: CardDetails;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-vault-'));
  const env = { ...benchEnvironment(), LOG_LEVEL: 'trace', FLORIN_TLS: 'true' };
  platform = await startPlatform({ rootDir: ROOT, dataDir, env, report: () => undefined });
  const api = createApiClient(platform.urls.gateway);
  const person = await registerPerson(api);
  cardId = await createCard(api, person.token);
  const app = await createCardDataApp(api, person);
  details = await app.viewDetails(cardId);
  const [pin] = pinsFor(details.pan);
  await app.setPin(cardId, pin);
  expect(await app.viewPin(cardId)).toBe(pin);
  await decide(api, person, await raiseChallenge(api, person.token, cardId), 'approve');
}, 120_000);
afterAll(async () => {
  await platform?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The number in the forms in which it could be kept. */
const forms = (pan: string): string[] => [
  pan,
  pan.replace(/(\d{4})(?=\d)/g, '$1 '),
  pan.replace(/(\d{4})(?=\d)/g, '$1-'),
  Buffer.from(pan).toString('base64').slice(0, 20),
];

describe('a service behind mutual TLS', () => {
  it.each(['card', 'ledger', 'identity', 'threeds', 'vault'] as const)(
    '%s serves nobody without a certificate, and nobody in cleartext',
    async (name) => {
      const url = platform.urls[name];
      expect(url).toMatch(/^https:/);
      for (const base of [url, url.replace('https:', 'http:')]) {
        await expect(fetch(`${base}/grpc.health.v1.Health/Check`, { method: 'POST', body: '{}' })).rejects.toThrow();
      }
    },
  );
});

describe('a card number', () => {
  it.each(['gateway', 'card', 'ledger', 'identity', 'threeds'])('is not in the memory of %s', (name) => {
    const pid = platform.processes().find((one) => one.name === name)?.pid ?? 0;
    if (!canReadMemory(pid)) {
      process.stdout.write(`skipped: this machine does not let a process read the memory of ${name}\n`);
      return;
    }
    const found = findInMemory(pid, [...forms(details.pan), cardId]);
    // The search can find: the id of the card passes through the gateway and the card service.
    if (name === 'gateway' || name === 'card') expect(found).toContain(cardId);
    expect([...found].filter((text) => text !== cardId)).toEqual([]);
  });

  it('is in no log, not even at level trace', async () => {
    const logs = join(dataDir, 'logs');
    const texts = await Promise.all((await readdir(logs)).map((file) => readFile(join(logs, file), 'utf8')));
    const all = texts.join('\n');
    // The logs are those of this story.
    expect(all).toContain('CardDataService/RevealCardData');
    for (const text of forms(details.pan)) expect(all).not.toContain(text);
  });

  it('is in no database, the vault’s included, and not in Redis', async () => {
    const names = ['identity', 'card', 'ledger', 'threeds', 'vault'].map((name) => `florin_${name}`);
    const values = [...(await dumpDatabases({ mongodbUri: platform.mongodbUri, names })), ...(await dumpRedis(platform.redisUrl))];
    expect(values.filter(({ text }) => text.includes(cardId)).length).toBeGreaterThan(3);
    for (const form of forms(details.pan)) expect(values.filter(({ text }) => text.includes(form))).toEqual([]);
  });
});
