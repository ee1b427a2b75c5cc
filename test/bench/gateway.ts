import { createApiClient } from '../support/api-client.ts';
import { createCard, raiseChallenge, registerPerson } from '../support/story.ts';
import { compareReads } from './load.ts';
import { onPlatform, pidOf } from './on-platform.ts';
import type { Row } from './row.ts';

/** Throughput of authenticated reads through the gateway, relative to the floor: one Express handler and one call behind it. */
export const benchGateway = (report: (line: string) => void): Promise<Row[]> =>
  onPlatform(report, async (platform) => {
    const api = createApiClient(platform.urls.gateway);
    const { token } = await registerPerson(api);
    const cardId = await createCard(api, token);
    await api.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: '100000000000000000000' } });
    const challengeId = await raiseChallenge(api, token, cardId, { expiresInSeconds: 900 });
    const read = async (path: string, service: string) => ({
      path,
      body: await api.call('GET', path, { token }),
      pids: { gateway: pidOf(platform, 'gateway'), [service]: pidOf(platform, service) },
    });
    const reads = {
      'GET /user/balances/v2': await read('/user/balances/v2', 'ledger'),
      'GET /3ds/challenges/{id}': await read(`/3ds/challenges/${challengeId}`, 'threeds'),
    };
    return compareReads(platform.urls.gateway, token, reads, report);
  });
