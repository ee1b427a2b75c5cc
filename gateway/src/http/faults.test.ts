import { request as httpRequest } from 'node:http';
import { CodedError } from '@florin/rpc/errors';
import { createLogger } from '@florin/rpc/observe';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USER_ID } from '../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
const lines: string[] = [];

beforeAll(async () => {
  const logger = createLogger('gateway', 'debug', { write: (line: string) => lines.push(line) });
  gateway = await startTestGateway({ overrides: { logger } });
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const simple = (error: string) => ({ success: false, error });

describe('faults', () => {
  it('hides internals when a service crashes', async () => {
    gateway.fakes.stub('listCards', () => {
      throw new Error('password is swordfish at 10.0.0.1');
    });
    const answer = await gateway.ask('GET /cards', { token: gateway.userToken });
    expect([answer.status, answer.text]).toEqual([500, '{"success":false,"error":"INTERNAL_ERROR"}']);
  });

  it('hides internals when a response is invalid', async () => {
    gateway.fakes.stub('listCards', () => ({ cards: [{ id: 'x', status: 99 }] }));
    expect(await gateway.ask('GET /cards', { token: gateway.userToken })).toMatchObject({ status: 500, body: simple('INTERNAL_ERROR') });
  });

  it('rejects an undeclared code while responses are validated', async () => {
    gateway.fakes.stub('listCards', () => {
      throw new CodedError('REASON_REQUIRED');
    });
    expect(await gateway.ask('GET /cards', { token: gateway.userToken })).toMatchObject({ status: 500 });
    const lenient = await gateway.another({ VALIDATE_ANSWERS: 'false' });
    expect(await askAt(lenient.url, 'GET /cards', { token: gateway.userToken })).toMatchObject({
      status: 422,
      body: simple('REASON_REQUIRED'),
    });
    await lenient.close();
  });

  it('returns 504 when a service exceeds its deadline', async () => {
    gateway.fakes.stub('listCards', () => {
      throw new CodedError('UPSTREAM_TIMEOUT');
    });
    expect(await gateway.ask('GET /cards', { token: gateway.userToken })).toMatchObject({ status: 504, body: simple('UPSTREAM_TIMEOUT') });
  });

  it('returns 503 when a service is down, and readiness names it', async () => {
    const other = await startTestGateway();
    await other.fakes.stop('card');
    expect(await other.ask('GET /cards', { token: other.userToken })).toMatchObject({ status: 503, body: simple('SERVICE_UNAVAILABLE') });
    expect(await other.ask('GET /health/ready')).toMatchObject({ status: 503, body: { status: 'unavailable', down: ['card'] } });
    expect(await other.ask('GET /health/live')).toMatchObject({ status: 200 });
    await other.close();
  });
});

describe('a client that disconnects', () => {
  it('cancels a read at the service, but not a mutation', async () => {
    const seen: Record<string, AbortSignal> = {};
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const rpc of ['listCards', 'createVirtualCard']) {
      gateway.fakes.stub(rpc, async (_request, { signal }) => {
        seen[rpc] = signal;
        await held;
        return {};
      });
    }
    const open = (method: string, path: string) => {
      const request = httpRequest(`${gateway.app.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${gateway.userToken}`, 'content-type': 'application/json' },
      });
      request.on('error', () => undefined);
      request.end(method === 'POST' ? '{"cardName":"x"}' : undefined);
      return request;
    };
    const requests = [open('GET', '/cards'), open('POST', '/cards/virtual')];
    await waitFor('both calls', async () => (Object.keys(seen).length === 2 ? true : undefined));
    for (const request of requests) request.destroy();
    await waitFor('the end of the read', async () => (seen['listCards']?.aborted === true ? true : undefined));
    expect(seen['createVirtualCard']?.aborted).toBe(false);
    release();
    const aborted = await waitFor('both lines', async () => {
      const found = lines.filter((line) => line.includes('"aborted":true')).map((line) => JSON.parse(line) as Record<string, unknown>);
      return found.length === 2 ? found : undefined;
    });
    expect(aborted.map(({ status, level }) => [status, level])).toEqual([
      [499, 'info'],
      [499, 'info'],
    ]);
    const failures = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ route }) => route === undefined);
    expect(failures.filter(({ error }) => error === 'SERVICE_UNAVAILABLE')).toEqual([]);
  });
});

describe('access log', () => {
  it('contains the path template, the user and the request id, but no query, body or token', async () => {
    lines.length = 0;
    await gateway.ask('GET /sandbox/outbox?to=ann@example.org', { headers: { 'x-request-id': 'log-1' } });
    await gateway.ask('POST /email-verification', { token: gateway.userToken, body: { email: 'ann@example.org' } });
    const access = await waitFor('two lines', async () => {
      const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');
      return found.length === 2 ? found : undefined;
    });
    expect(access[0]).toMatchObject({ method: 'GET', route: '/sandbox/outbox', status: 200, requestId: 'log-1', ms: expect.any(Number) });
    expect(access[1]).toMatchObject({ method: 'POST', route: '/email-verification', userId: USER_ID });
    expect(lines.join()).not.toMatch(/ann@|example\.org|eyJ/);
  });

  it('has one line per request at level info or above, also for rejected requests, and a second one at level error for faults', async () => {
    lines.length = 0;
    gateway.refuse('getBalances', 'ACCOUNT_NOT_FOUND');
    gateway.fakes.stub('listCards', () => {
      throw new Error('crashed');
    });
    const targets = ['GET /user', 'GET /user/balances/v2', 'GET /cards', 'GET /nothing', 'GET /cards?limit=0'];
    for (const [index, target] of targets.entries()) {
      await gateway.ask(target, { token: gateway.userToken, headers: { 'x-request-id': `line-${index}` } });
    }
    const levels = await waitFor('all lines', async () => {
      const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ level }) => level !== 'debug');
      const found = targets.map((_target, index) => parsed.filter(({ requestId }) => requestId === `line-${index}`));
      return found.every((of) => of.some(({ msg }) => msg === 'request')) ? found.map((of) => of.map(({ level }) => level)) : undefined;
    });
    expect(levels).toEqual([['info'], ['info'], ['error', 'info'], ['info'], ['info']]);
  });
});

describe('shutdown', () => {
  it('waits for a running request', async () => {
    const other = await gateway.another();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.fakes.stub('listCards', async () => {
      await held;
      return { cards: [] };
    });
    const answer = askAt(other.url, 'GET /cards', { token: gateway.userToken });
    await waitFor('the call', async () => gateway.callOf('listCards'));
    const closed = other.close();
    release();
    expect(await answer).toMatchObject({ status: 200, body: { data: [] } });
    await closed;
    await expect(fetch(other.url)).rejects.toThrow();
  });
});
