import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  type OpenMetricsContentType,
  type PrometheusContentType,
  Registry,
} from 'prom-client';

/** Seconds. The deadline of a call between processes is 5 s, the longest wait of a request 15 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Records the duration of one piece of work under the values of the labels, with the trace that is an example of it. */
type RecordDuration = (values: readonly string[], ms: number, traceId: string | undefined) => void;

const createDurations = (registry: Registry, name: string, help: string, labelNames: readonly string[]): RecordDuration => {
  const histogram = new Histogram({ name, help, labelNames, buckets: BUCKETS, enableExemplars: true, registers: [registry] });
  // Looked up once for every combination, because the values are few and the calls are many.
  const known = new Map<string, { observe: (seconds: number) => void }>();
  return (values, ms, traceId) => {
    if (traceId !== undefined) {
      const labels = Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? '']));
      histogram.observe({ labels, value: ms / 1000, exemplarLabels: { trace_id: traceId } });
      return;
    }
    const key = values.join(' ');
    let child = known.get(key);
    if (child === undefined) {
      child = histogram.labels(...values);
      known.set(key, child);
    }
    child.observe(ms / 1000);
  };
};

type Format = 'prometheus' | 'openmetrics';

const TYPES: Readonly<Record<Format, PrometheusContentType | OpenMetricsContentType>> = {
  prometheus: Registry.PROMETHEUS_CONTENT_TYPE,
  openmetrics: Registry.OPENMETRICS_CONTENT_TYPE,
};

/** The same metrics in a format. A registry renames counters as it writes them, so that it gets objects in front of the real ones. */
const inFormat = (registry: Registry, format: Format): Registry<PrometheusContentType | OpenMetricsContentType> => {
  const other = new Registry<PrometheusContentType | OpenMetricsContentType>();
  other.setContentType(TYPES[format]);
  for (const metric of registry.getMetricsAsArray()) other.registerMetric(Object.create(metric) as Metric);
  return other;
};

/** The metrics of a process, in the names and units of Prometheus. */
export type Metrics = {
  /** The metrics, with their content type: in the text format of Prometheus, or in that of OpenMetrics, which has exemplars. */
  text: (format?: Format) => Promise<{ type: string; body: string }>;
  /** A served RPC. `rpc` is `<package>.<service>/<method>`, `code` an error code or `OK`, `traceId` a recorded trace of the call. */
  rpcServed: (rpc: string, code: string, ms: number, traceId?: string) => void;
  /** A served HTTP request. `route` is the template of a path, never a path itself. */
  requestServed: (method: string, route: string, status: number, ms: number, traceId?: string) => void;
  /** Declares a value that is read when the metrics are. Declaring a name again replaces its value. */
  gauge: (name: string, help: string, read: () => number | Promise<number>) => void;
  /** Declares values by label that are read when the metrics are. Labels never contain ids or personal data. */
  gauges: (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly (readonly [labels: readonly string[], value: number])[],
  ) => void;
  /** Declares a number of events, from zero. Declaring a name again replaces it. @returns a function that counts one */
  counter: (name: string, help: string) => () => void;
  /** The same by label. @returns a function that counts one under the values of the labels */
  counters: (name: string, help: string, labelNames: readonly string[]) => (labels: readonly string[]) => void;
  /** Declares a distribution. @param buckets upper bounds @returns a function that records one value */
  histogram: (name: string, help: string, buckets: readonly number[]) => (value: number) => void;
};

/** Creates the metrics of a process: besides those that are recorded, memory, garbage collection, event-loop delay and processor time. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  // Of the type that allows exemplars. It is never written itself.
  (registry as Registry<PrometheusContentType | OpenMetricsContentType>).setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  const rpcs = createDurations(registry, 'florin_rpc_server_duration_seconds', 'Duration of served RPCs', ['rpc', 'code']);
  const requests = createDurations(registry, 'florin_http_server_duration_seconds', 'Duration of served HTTP requests', [
    'method',
    'route',
    'status',
  ]);
  return {
    text: async (format = 'prometheus') => {
      const source = inFormat(registry, format);
      return { type: source.contentType, body: await source.metrics() };
    },
    rpcServed: (rpc, code, ms, traceId) => rpcs([rpc, code], ms, traceId),
    requestServed: (method, route, status, ms, traceId) => requests([method, route, String(status)], ms, traceId),
    gauge: (name, help, read) => {
      registry.removeSingleMetric(name);
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: async () => gauge.set(await read()) });
    },
    gauges: (name, help, labelNames, read) => {
      registry.removeSingleMetric(name);
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect: () => {
          gauge.reset();
          for (const [labels, value] of read()) gauge.labels(...labels).set(value);
        },
      });
    },
    counter: (name, help) => {
      registry.removeSingleMetric(name);
      const counter = new Counter({ name, help, registers: [registry] });
      return () => counter.inc();
    },
    counters: (name, help, labelNames) => {
      registry.removeSingleMetric(name);
      const counter = new Counter({ name, help, labelNames, registers: [registry] });
      return (labels) => counter.labels(...labels).inc();
    },
    histogram: (name, help, buckets) => {
      registry.removeSingleMetric(name);
      const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [registry] });
      return (value) => histogram.observe(value);
    },
  };
};
