import { startRedisRelay, testEngines } from '@florin/data/testing';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '../support/api-client.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

/** As long as a loaded machine may take. */
const TIMEOUT_MS = 300_000;

let relay: Awaited<ReturnType<typeof startRedisRelay>>;
let platform: PlatformInProcess;
beforeAll(async () => {
  relay = await startRedisRelay(testEngines().redisUrl);
  platform = await startPlatformInProcess({ REDIS_URL: relay.url, METRICS_PORT: '0' }, { chain: {} });
}, TIMEOUT_MS);
afterAll(async () => {
  await platform?.close();
  await relay?.close();
});

type Readiness = { status: string; down: string[] };

const readinessOf = async (name: keyof PlatformInProcess['services']): Promise<Readiness> =>
  (await (await fetch(`${platform.services[name].internalUrl}/health/ready`)).json()) as Readiness;

describe('while the services have no Redis', { timeout: TIMEOUT_MS }, () => {
  it('those that need it are not ready, and the others serve', async () => {
    const { token } = await registerPerson(platform.api);
    const cardId = await createCard(platform.api, token);
    const gateway = await platform.startGateway({ REDIS_URL: testEngines().redisUrl });
    await relay.cut();
    await waitFor('identity to notice', async () => ((await readinessOf('identity')).status === 'ok' ? undefined : true));
    expect(await readinessOf('identity')).toEqual({ status: 'unavailable', down: ['redis'] });
    for (const name of ['ledger', 'card', 'vault', 'threeds'] as const) {
      expect([name, await readinessOf(name)]).toEqual([name, { status: 'ok', down: [] }]);
    }
    const api = createApiClient(gateway.url);
    await api.as(token).sandbox.createDeposit({ token: 'EURe', amount: '1000000000000000000' });
    for (const path of ['/user/balances/v2', `/cards/${cardId}`, '/pci/access-log', '/3ds/challenges'])
      await api.call('GET', path, { token });
    await relay.restore();
    await waitFor('identity to be ready', async () => ((await readinessOf('identity')).status === 'ok' ? true : undefined));
  });
});
