import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '@florin/local';
import { createApiClient } from '../support/api-client.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { createCard, raiseChallenge, registerPerson } from '../support/story.ts';
import { compareReads } from './load.ts';
import type { Row } from './row.ts';

/** Throughput of authenticated reads through the gateway, relative to a bare Express handler that returns the same body. */
export const benchGateway = async (report: (line: string) => void): Promise<Row[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: benchEnvironment(), report });
  try {
    const api = createApiClient(platform.urls.gateway);
    const { token } = await registerPerson(api);
    const cardId = await createCard(api, token);
    await api.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: '100000000000000000000' } });
    const challengeId = await raiseChallenge(api, token, cardId, { expiresInSeconds: 900 });
    const read = async (path: string) => ({ path, body: await api.call('GET', path, { token }) });
    const reads = {
      'GET /user/balances/v2': await read('/user/balances/v2'),
      'GET /3ds/challenges/{id}': await read(`/3ds/challenges/${challengeId}`),
    };
    return await compareReads(platform.urls.gateway, token, reads, report);
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
