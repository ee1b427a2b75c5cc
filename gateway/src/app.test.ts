import { startRedisRelay, testEngines, testEnvironment } from '@florin/data/testing';
import { ConfigError, loadConfig } from '@florin/rpc/config';
import { createTestAuthority, quietLogger, waitFor } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { configShape } from './config.ts';

const authority = await createTestAuthority({ gateway: [] });
const nowhere = 'http://127.0.0.1:1';
const environment = (more: Record<string, string> = {}) =>
  testEnvironment('gateway', authority, {
    IDENTITY_URL: nowhere,
    CARD_URL: nowhere,
    LEDGER_URL: nowhere,
    THREEDS_URL: nowhere,
    VAULT_URL: nowhere,
    ...more,
  });

describe('configuration', () => {
  it.each([
    ['1', 1],
    ['10.0.0.0/8, loopback', ['10.0.0.0/8', 'loopback']],
    ['', undefined],
  ])('reads TRUST_PROXY=%s', (text, expected) => {
    expect(loadConfig(configShape, environment({ TRUST_PROXY: text })).TRUST_PROXY).toEqual(expected);
  });

  it.each([
    ['TRUST_PROXY', 'anywhere'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['AUTH_RATE_LIMIT_PER_MINUTE', 'many'],
    ['CARD_URL', 'ftp://card'],
    ['EXPLORER_URL', 'https://explorer.example.org/?chain=100'],
    ['EXPLORER_URL', 'https://explorer.example.org/#'],
    ['VALIDATE_ANSWERS', 'yes'],
    ['PARTNERS', '{}'],
  ])('rejects an invalid %s', (name, value) => {
    const load = () => loadConfig(configShape, environment({ [name]: value }));
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(name);
  });
});

describe('start', () => {
  it('succeeds while every service is down, and readiness names them', async () => {
    const app = await createApp(loadConfig(configShape, environment()), { logger: quietLogger });
    const ready = await fetch(`${app.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'unavailable', down: ['identity', 'card', 'ledger', 'threeds', 'vault'] },
    ]);
    // Without identity's keys a token can be neither accepted nor rejected.
    const token = await authority.userToken({ wallet: '0x52908400098527886E0F7030069857D2E4169EE7' });
    const answer = await fetch(`${app.url}/cards`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.json()]).toEqual([503, { success: false, error: 'SERVICE_UNAVAILABLE' }]);
    await app.close();
  });

  it('serves metrics on a port of their own, by the template of the route', async () => {
    const app = await createApp(loadConfig(configShape, environment({ METRICS_PORT: '0' })), { logger: quietLogger });
    for (const path of ['/health/live', '/health/live', '/cards/secret-id', '/no/such/path', '/metrics']) await fetch(`${app.url}${path}`);
    const response = await fetch(`${app.internalUrl}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    const countOf = (labels: string) => `florin_http_server_duration_seconds_count{${labels}}`;
    expect(text).toContain(`${countOf('method="GET",route="/health/live",status="200"')} 2`);
    expect(text).toContain(`${countOf('method="GET",route="/cards/{cardId}",status="401"')} 1`);
    expect(text).toContain(`${countOf('method="GET",route="none",status="404"')} 2`);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).not.toContain('secret-id');
    expect((await fetch(`${app.internalUrl}/cards`)).status).toBe(404);
    await app.close();
    await expect(fetch(`${app.internalUrl}/metrics`)).rejects.toThrow();
  });

  it('has a probe that fails only when no dependency responds, and one that never does', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    const env = environment({ METRICS_PORT: '0', REDIS_URL: relay.url });
    const app = await createApp(loadConfig(configShape, env), { logger: quietLogger });
    const probe = async (name: string) => {
      const response = await fetch(`${app.internalUrl}/health/${name}`);
      return [response.status, await response.json()];
    };
    expect(await probe('ready')).toEqual([200, { status: 'ok', down: [] }]);
    await relay.cut();
    expect(await probe('ready')).toEqual([
      503,
      { status: 'unavailable', down: ['redis', 'identity', 'card', 'ledger', 'threeds', 'vault'] },
    ]);
    expect(await probe('live')).toEqual([200, { status: 'ok' }]);
    await relay.restore();
    await waitFor('the probe', async () => ((await probe('ready'))[0] === 200 ? true : undefined));
    await app.close();
    await relay.close();
  });

  it('announces the end of connections while it drains', async () => {
    const app = await createApp(loadConfig(configShape, environment({ METRICS_PORT: '0' })), { logger: quietLogger });
    expect((await fetch(`${app.url}/health/live`)).headers.get('connection')).toBe('keep-alive');
    await app.drain();
    expect((await fetch(`${app.url}/health/live`)).headers.get('connection')).toBe('close');
    expect(await (await fetch(`${app.internalUrl}/health/ready`)).json()).toEqual({ status: 'stopping', down: [] });
    await app.close();
  });

  it('serves no metrics unless a port is configured', async () => {
    const app = await createApp(loadConfig(configShape, environment()), { logger: quietLogger });
    expect(app.internalUrl).toBeUndefined();
    await app.close();
  });

  it('fails if the port is in use, and releases its resources', async () => {
    const first = await createApp(loadConfig(configShape, environment()), { logger: quietLogger });
    const second = createApp(loadConfig(configShape, environment({ PORT: new URL(first.url).port })), { logger: quietLogger });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });
});
