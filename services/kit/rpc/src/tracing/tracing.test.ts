import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { CodedError } from '../errors/index.ts';
import { createCallLogger, createLogger } from '../observe/index.ts';
import { quietLogger, startTraceCollector, type TraceCollector } from '../testing/index.ts';
import { beginCall, currentCall, idsOf } from './call-context.ts';
import { exporterHeaders, openConfiguredTracing, type Tracing } from './index.ts';

let collector: TraceCollector;
let tracing: Tracing;
beforeAll(async () => {
  collector = await startTraceCollector();
});
beforeEach(async () => {
  const config = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: 1 };
  tracing = (await openConfiguredTracing('card', config, quietLogger)) as Tracing;
});
afterEach(() => tracing?.close());
afterAll(() => collector?.close());

const noHeaders = () => undefined;
const noAttributes = () => ({});

describe('a traced store', () => {
  it('works as before, and has a span for each call that belongs to a recorded trace', async () => {
    class Model {}
    const stored = {
      model: Model,
      find: async (id: string) => `found ${id}`,
      count: () => 7,
      fail: async (): Promise<never> => {
        throw new CodedError('CARD_NOT_FOUND', { message: 'card 4000 of alice@example.org' });
      },
      breaks: (): never => {
        throw new TypeError('broken');
      },
    };
    const store = tracing.traceStore('mongodb', 'cards', stored);
    expect(await store.find('in the background')).toBe('found in the background');

    const span = tracing.startServed('x.v1.Service/Call', noAttributes, noHeaders);
    const call = beginCall('r', span);
    await call.run(async () => {
      expect(await store.find('a')).toBe('found a');
      expect(store.count()).toBe(7);
      expect(store.model).toBe(Model);
      await expect(store.fail()).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
      expect(() => store.breaks()).toThrow('broken');
    });
    tracing.end(span);
    await tracing.close();
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanContext().spanId);
    expect(children.map(({ name, attributes, status }) => [name, attributes['error.type'], status.code])).toEqual([
      ['cards.find', undefined, 0],
      ['cards.count', undefined, 0],
      ['cards.fail', 'CARD_NOT_FOUND', 2],
      ['cards.breaks', 'TypeError', 2],
    ]);
    expect(JSON.stringify(collector.spans)).not.toMatch(/alice|broken/);
  });
});

describe('a trace of which the caller says that it is not recorded', () => {
  const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-00`;
  const header = (name: string) => ({ traceparent, tracestate: 'vendor=1' })[name];

  it('is named in log lines and passed on, and has no spans', async () => {
    const attributes = (): never => {
      throw new Error('nobody reads the attributes');
    };
    const span = tracing.startServed('x.v1.Service/Call', attributes, header);
    const call = beginCall('r', span);
    expect(idsOf(call)).toEqual({ requestId: 'r', traceId: TRACE_ID });
    const inner = call.run(() => tracing.startCall('x.v1.Other/Call', {}));
    expect(tracing.headersOf(inner)).toEqual(['traceparent', traceparent, 'tracestate', 'vendor=1']);
    tracing.end(inner);
    tracing.end(span);
    tracing.end(tracing.startServed('x.v1.Service/Recorded', noAttributes, noHeaders));
    await tracing.close();
    expect(collector.spans.map(({ name }) => name)).toContain('x.v1.Service/Recorded');
    expect(collector.spans.filter(({ traceId }) => traceId === TRACE_ID)).toEqual([]);
  });

  it('is not what a caller from outside decides', () => {
    const span = tracing.startAtEdge('GET', noAttributes, header);
    expect(span.isRecording()).toBe(true);
    expect(span.spanContext().traceId).not.toBe(TRACE_ID);
    tracing.end(span);
  });
});

describe('the current call', () => {
  it('is that of the code that runs, across awaits, until it has ended', async () => {
    const [a, b] = [beginCall('a', undefined), beginCall('b', undefined)];
    const release = Promise.withResolvers<void>();
    const idAfter = async () => {
      await release.promise;
      return currentCall()?.requestId;
    };
    const ids = [a.run(idAfter), b.run(idAfter), idAfter()];
    b.end();
    release.resolve();
    expect(await Promise.all(ids)).toEqual(['a', undefined, undefined]);
  });

  it('names its ids in log lines, once', () => {
    const lines: string[] = [];
    const logger = createLogger('card', 'info', { write: (line: string) => void lines.push(line) });
    const call = beginCall('request-1', undefined);
    call.run(() => {
      logger.info({ cardId: 'c' }, 'in the call');
      createCallLogger(logger, { requestId: 'request-1' }).info('by its own logger');
      logger.info({ requestId: 'request-2' }, 'about another');
    });
    logger.info('after it');
    expect(lines.map((line) => line.match(/"requestId":"[^"]+"/g))).toEqual([
      ['"requestId":"request-1"'],
      ['"requestId":"request-1"'],
      ['"requestId":"request-2"'],
      null,
    ]);
  });
});

describe('a collector that does not take spans', () => {
  it('is reported once, and costs the platform nothing but the spans', async () => {
    const down = await startTraceCollector();
    down.respondWith(400);
    const lines: { msg: string; level: string }[] = [];
    const sink = { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string; level: string }) };
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: `${down.url}/`, OTEL_TRACES_SAMPLER_ARG: 1 };
    const other = (await openConfiguredTracing('card', config, createLogger('card', 'info', sink))) as Tracing;
    for (let index = 0; index < 1200; index += 1) other.end(other.startServed('x.v1.Service/Call', noAttributes, noHeaders));
    await other.close();
    expect(down.requests.length).toBeGreaterThan(1);
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
    await down.close();
  });
});

describe('the headers of exports', () => {
  const read = (text: string) => loadConfig({ HEADERS: exporterHeaders }, { HEADERS: text }).HEADERS;

  it('are read as OpenTelemetry writes them', () => {
    expect(read('authorization=Bearer%20a%3Db, x-tenant=one')).toEqual({ authorization: 'Bearer a=b', 'x-tenant': 'one' });
  });

  it.each(['no value', 'a b=c', 'a=%', '=x'])('reject %j without showing it', (text) => {
    expect(() => read(text)).toThrow(/^HEADERS: must be/);
  });
});
