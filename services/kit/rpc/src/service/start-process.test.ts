import { describe, expect, it } from 'vitest';
import type { Logger } from '../observe/index.ts';
import { quietLogger } from '../testing/index.ts';
import { startProcess } from './index.ts';

const config = {
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  METRICS_HOST: '127.0.0.1',
  METRICS_PORT: 0,
  MAX_CONNECTION_AGE_SECONDS: 300,
  DRAIN_SECONDS: 0,
};

const probe = async (url: string, name: string): Promise<unknown[]> => {
  const response = await fetch(`${url}/health/${name}`);
  return [response.status, await response.json()];
};

describe('a process', () => {
  it('is ready between its start and its stop while nothing that it needs is missing, and live all the time', async () => {
    let missing: string[] = [];
    let warnings: string[] = [];
    const app = await startProcess('card', config, { logger: quietLogger }, async (base) => {
      base.readyUnless(async () => missing);
      base.warnWith(() => warnings);
      return 'http://127.0.0.1:1';
    });
    const url = app.internalUrl ?? '';
    expect(await probe(url, 'ready')).toEqual([200, { status: 'ok', down: [] }]);
    missing = ['mongodb'];
    expect(await probe(url, 'ready')).toEqual([503, { status: 'unavailable', down: ['mongodb'] }]);
    missing = [];
    warnings = ['one node is believed alone'];
    expect(await probe(url, 'ready')).toEqual([200, { status: 'ok', down: [], warnings }]);
    await app.drain();
    expect(await probe(url, 'ready')).toEqual([503, { status: 'stopping', down: [] }]);
    expect(await probe(url, 'live')).toEqual([200, { status: 'ok' }]);
    await app.close();
  });

  it('is live and not ready while it starts', async () => {
    const started = Promise.withResolvers<void>();
    const listening = Promise.withResolvers<string>();
    const logger: Logger = Object.create(quietLogger, { info: { value: ({ url }: { url: string }) => listening.resolve(url) } });
    const app = startProcess('card', config, { logger }, async () => {
      await started.promise;
      return 'http://127.0.0.1:1';
    });
    const url = await listening.promise;
    expect(await probe(url, 'ready')).toEqual([503, { status: 'starting', down: [] }]);
    expect(await probe(url, 'live')).toEqual([200, { status: 'ok' }]);
    started.resolve();
    await (await app).close();
  });
});
