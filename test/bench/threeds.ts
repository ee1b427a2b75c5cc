import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureKeys, type Platform, startPlatform } from '@florin/local';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { createApiClient } from '../support/api-client.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { createCard, registerPerson } from '../support/story.ts';
import { benchChallengeLatencies } from './challenge-latencies.ts';
import { benchDecisions } from './decisions.ts';
import { compareReads } from './load.ts';
import { nativeWallet } from './native-wallet.ts';
import type { Row } from './row.ts';
import type { Holder, Stage } from './stage.ts';
import { benchWatchers } from './watchers.ts';

const CALLERS = 32;

/** Fewer than the callers: a network address gets 30 one-time passwords an hour. */
const PEOPLE = 16;

const openThreeds = async (platform: Platform, dataDir: string) => {
  const keys = await ensureKeys(dataDir);
  const key = serviceKeySchema.parse(JSON.parse(await readFile(keys.keyFile('operator'), 'utf8')));
  const scopes = [THREEDS_SCOPES.writeChallenges, THREEDS_SCOPES.readChallenges];
  const serviceToken = createServiceTokenSource({ key, audience: 'threeds', scopes });
  return { channel: createRpcChannel({ baseUrl: platform.urls.threeds, serviceToken, timeoutMs: 30_000 }), token: serviceToken };
};

/** Decisions, latencies, watchers and reads of challenges. Load generator, platform and engines run on this machine. */
export const benchThreeds = async (report: (line: string) => void): Promise<Row[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: benchEnvironment(), report });
  try {
    const api = createApiClient(platform.urls.gateway);
    const { channel, token: serviceToken } = await openThreeds(platform, dataDir);
    const threeds = channel.client(ChallengeService);
    report(`registering ${PEOPLE} cardholders`);
    const holders: Holder[] = [];
    for (let index = 0; index < PEOPLE; index += 1) {
      const person = await registerPerson(api, nativeWallet());
      holders.push({ person, cardId: await createCard(api, person.token) });
    }
    holders.push(...holders.slice(0, CALLERS - PEOPLE));
    const raise: Stage['raise'] = async ({ cardId }) => {
      const payment = { cardId, amount: '4999', currency: 'EUR', decimals: 2, merchant: { displayName: 'Bookshop' } };
      const { challenge } = await threeds.createChallenge({ ...payment, reference: randomUUID(), expiresInSeconds: 900 });
      return challenge?.id ?? '';
    };
    const stage: Stage = { platform, api, holders, threeds, token: serviceToken, raise, report };
    // First, because the other parts make the heap of the service grow.
    const watchers = await benchWatchers(stage);
    const rows = [...(await benchDecisions(stage)), ...(await benchChallengeLatencies(stage)), ...watchers];
    const [holder] = holders;
    if (holder === undefined) throw new Error('there is no cardholder');
    const { token } = holder.person;
    const path = `/3ds/challenges/${await raise(holder)}`;
    const reads = { 'GET /3ds/challenges/{id}': { path, body: await api.call('GET', path, { token }) } };
    rows.push(...(await compareReads(platform.urls.gateway, token, reads, report)));
    await channel.close();
    return rows;
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
