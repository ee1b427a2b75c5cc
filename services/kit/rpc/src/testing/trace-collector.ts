import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { bind } from '../process/index.ts';

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));

const id = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));

const spanSchema = z.object({
  traceId: id(16),
  spanId: id(8),
  parentSpanId: id(8).optional(),
  name: z.string().min(1),
  kind: z.int(),
  attributes,
  links: z.array(z.object({ traceId: id(16), spanId: id(8) })).default([]),
  status: z.object({ code: z.int().default(0), message: z.string().optional() }),
  events: z.array(z.unknown()).default([]),
});

/** ExportTraceServiceRequest of OTLP, in JSON. */
const requestSchema = z.object({
  resourceSpans: z.array(z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});

/** A span as a collector received it. `kind` is that of OTLP: 2 serves, 3 calls. */
export type CollectedSpan = z.output<typeof spanSchema> & { service: string };

export type TraceCollector = {
  /** Base URL for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** Every span that was received so far. */
  spans: readonly CollectedSpan[];
  /** Headers of the requests that were received. */
  requests: readonly Readonly<Record<string, unknown>>[];
  /** Received bodies that are no export of spans. */
  problems: readonly string[];
  /** Status of the next responses. Default: 200. */
  respondWith: (status: number) => void;
  close: () => Promise<void>;
};

/** A collector of OpenTelemetry: a real receiver of OTLP over HTTP, which keeps the spans. */
export const startTraceCollector = async (): Promise<TraceCollector> => {
  const spans: CollectedSpan[] = [];
  const requests: Readonly<Record<string, unknown>>[] = [];
  const problems: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const body = await text(request);
      requests.push(request.headers);
      if (request.method !== 'POST' || request.url !== '/v1/traces') throw new Error(`${request.method} ${request.url}`);
      if (status === 200) {
        for (const { resource, scopeSpans } of requestSchema.parse(JSON.parse(body)).resourceSpans) {
          const service = String(resource.attributes['service.name']);
          for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service });
        }
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    };
    receive().catch((error: unknown) => {
      problems.push(String(error));
      response.writeHead(400).end();
    });
  });
  const { url } = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    spans,
    requests,
    problems,
    respondWith: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
