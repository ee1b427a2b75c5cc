import { randomUUID } from 'node:crypto';
import { createLogger } from '@florin/rpc/observe';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

/** Kinds of spans in OTLP. */
const [SERVES, CALLS] = [2, 3];

/** Of a span that did not fail by its own fault, and of one that did. */
const [OK, ERROR] = [0, 2];

/** As long as a loaded machine may take to start a platform and play a story. */
const TIMEOUT_MS = 300_000;

const OUTSIDER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
const logger = createLogger('platform', 'info', { write: (line: string) => void lines.push(JSON.parse(line) as Line) });

let collector: TraceCollector;
let platform: PlatformInProcess;
let person: Person;
let metrics: string;
beforeAll(async () => {
  collector = await startTraceCollector();
  platform = await startPlatformInProcess(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_TRACES_SAMPLER_ARG: '1',
      METRICS_PORT: '0',
    },
    { logger },
  );
  const { api } = platform;
  person = await registerPerson(api);
  const cardId = await createCard(api, person.token);
  const challengeId = await raiseChallenge(api, person.token, cardId);
  await decide(api, person, challengeId, 'approve');
  const traceparent = `00-${OUTSIDER.traceId}-${OUTSIDER.spanId}-01`;
  await api.request('GET', `/cards/${randomUUID()}`, { token: person.token, headers: { traceparent, 'x-request-id': 'from-outside' } });
  const accept = 'application/openmetrics-text; version=1.0.0';
  metrics = await (await fetch(`${platform.services.threeds.internalUrl}/metrics`, { headers: { accept } })).text();
  // Exports what is left.
  await platform.close();
}, TIMEOUT_MS);
afterAll(async () => {
  await platform?.close();
  await collector?.close();
});

const only = (what: string, found: readonly CollectedSpan[]): CollectedSpan => {
  const [span] = found;
  if (span === undefined || found.length > 1) throw new Error(`${found.length} spans of ${what}`);
  return span;
};
const requestSpan = (name: string) =>
  only(
    name,
    collector.spans.filter((span) => span.service === 'gateway' && span.name === name),
  );
const childrenOf = ({ spanId }: CollectedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
const childOf = (parent: CollectedSpan, service: string, kind: number, name: string) =>
  only(
    `${name} below ${parent.name}`,
    childrenOf(parent).filter((span) => span.service === service && span.kind === kind && span.name === name),
  );

describe('the traces of the platform', () => {
  it('follow a request through gateway, threeds and ledger down to the store', () => {
    const request = requestSpan('POST /sandbox/3ds/challenges');
    expect(request).toMatchObject({ kind: SERVES, status: { code: OK } });
    expect(request.parentSpanId).toBeUndefined();
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/sandbox/3ds/challenges',
      'http.response.status_code': 200,
    });
    const raise = 'florin.threeds.v1.ChallengeService/CreateChallenge';
    const served = childOf(childOf(request, 'gateway', CALLS, raise), 'threeds', SERVES, raise);
    childOf(served, 'threeds', CALLS, 'challenges.insert');
    const find = 'florin.ledger.v1.AccountService/BatchGetAccounts';
    const account = childOf(childOf(served, 'threeds', CALLS, find), 'ledger', SERVES, find);
    const reads = childrenOf(account);
    expect(reads.map(({ attributes }) => attributes['db.system.name'])).toContain('mongodb');
    for (const span of [served, account, ...reads]) expect(span.traceId).toBe(request.traceId);
  });

  it('form trees: every span but that of a request or of background work has its parent', () => {
    const known = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(collector.spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !known.has(parentSpanId))).toEqual([]);
    expect(new Set(collector.spans.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'identity', 'card', 'ledger', 'threeds', 'vault']),
    );
    expect(collector.problems).toEqual([]);
    expect(collector.requests.every((headers) => headers['x-tenant'] === 'a b')).toBe(true);
  });

  it('tell which calls failed, and by whose fault', () => {
    const request = requestSpan('GET /cards/{cardId}');
    expect(request).toMatchObject({ status: { code: OK }, attributes: { 'http.response.status_code': 404 } });
    const rpc = 'florin.card.v1.CardService/GetCard';
    const called = childOf(request, 'gateway', CALLS, rpc);
    expect(called).toMatchObject({ status: { code: ERROR }, attributes: { 'error.type': 'CARD_NOT_FOUND' } });
    expect(childOf(called, 'card', SERVES, rpc)).toMatchObject({ status: { code: OK }, attributes: { 'error.type': 'CARD_NOT_FOUND' } });
  });

  it('begin at the gateway, with a link to the trace of a caller from outside', () => {
    const request = requestSpan('GET /cards/{cardId}');
    expect(request.parentSpanId).toBeUndefined();
    expect(request.traceId).not.toBe(OUTSIDER.traceId);
    expect(request.links).toMatchObject([OUTSIDER]);
  });

  it('contain nothing about people', () => {
    const text = JSON.stringify(collector.spans).toLowerCase();
    const { wallet, email, userId, token } = person;
    for (const secret of [wallet.address, email, userId, token]) expect(text).not.toContain(secret.toLowerCase());
    expect(text).not.toMatch(/@|eyj|0x[0-9a-f]{40}/);
    const keys = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...keys].sort()).toEqual([
      'db.operation.name',
      'db.system.name',
      'error.type',
      'florin.request_id',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'rpc.method',
      'rpc.system.name',
    ]);
    expect(collector.spans.flatMap(({ events }) => events)).toEqual([]);
  });

  it('are named in the log lines of every process, beside the request', () => {
    const request = requestSpan('POST /sandbox/3ds/challenges');
    const about = lines.filter(({ traceId }) => traceId === request.traceId);
    expect(about.map(({ rpc }) => rpc)).toEqual(
      expect.arrayContaining(['florin.threeds.v1.ChallengeService/CreateChallenge', 'florin.ledger.v1.AccountService/BatchGetAccounts']),
    );
    expect(about.map(({ route }) => route)).toContain('/sandbox/3ds/challenges');
    expect(new Set(about.map(({ requestId }) => requestId))).toEqual(new Set([request.attributes['florin.request_id']]));
    const served = lines.filter(({ rpc, route }) => rpc !== undefined || route !== undefined);
    expect(served.filter(({ requestId, traceId }) => requestId === undefined || traceId === undefined)).toEqual([]);
  });

  it('are examples of the durations in the metrics', () => {
    const request = requestSpan('POST /sandbox/3ds/challenges');
    const buckets = metrics.split('\n').filter((line) => line.includes('rpc="florin.threeds.v1.ChallengeService/CreateChallenge"'));
    expect(buckets.filter((line) => line.includes(`# {trace_id="${request.traceId}"}`))).toHaveLength(1);
    expect(metrics.trimEnd().endsWith('# EOF')).toBe(true);
  });
});

it('pass on the id of a trace that is not recorded, and export nothing', { timeout: TIMEOUT_MS }, async () => {
  const unsampled = await startTraceCollector();
  const written: Line[] = [];
  const sink = createLogger('platform', 'info', { write: (line: string) => void written.push(JSON.parse(line) as Line) });
  const quiet = await startPlatformInProcess(
    { OTEL_EXPORTER_OTLP_ENDPOINT: unsampled.url, OTEL_TRACES_SAMPLER_ARG: '0' },
    { logger: sink },
  );
  try {
    await registerPerson(quiet.api);
  } finally {
    await quiet.close();
    await unsampled.close();
  }
  expect(unsampled.spans).toEqual([]);
  expect(unsampled.requests).toEqual([]);
  const request = written.find(({ route, method }) => route === '/user' && method === 'POST');
  const about = written.filter(({ traceId }) => traceId === request?.['traceId']);
  expect(about.map(({ rpc }) => rpc)).toContain('florin.ledger.v1.AccountService/OpenAccount');
});
