import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds. The deadline of a call between processes is 5 s, the longest wait of a request 15 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Records the duration of one piece of work under the values of the labels. */
type Record = (values: readonly string[], ms: number) => void;

const createDurations = (registry: Registry, name: string, help: string, labelNames: readonly string[]): Record => {
  const histogram = new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [registry] });
  // Looked up once for every combination, because the values are few and the calls are many.
  const known = new Map<string, { observe: (seconds: number) => void }>();
  return (values, ms) => {
    const key = values.join(' ');
    let child = known.get(key);
    if (child === undefined) {
      child = histogram.labels(...values);
      known.set(key, child);
    }
    child.observe(ms / 1000);
  };
};

/** What a process measures of itself, in the names and units of Prometheus. */
export type Metrics = {
  /** The metrics in the text format of Prometheus, with its content type. */
  text: () => Promise<{ type: string; body: string }>;
  /** A served RPC. `rpc` is `<package>.<service>/<method>`, `code` an error code or `OK`. */
  rpcServed: (rpc: string, code: string, ms: number) => void;
  /** A served HTTP request. `route` is the template of a path, never a path itself. */
  requestServed: (method: string, route: string, status: number, ms: number) => void;
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
  collectDefaultMetrics({ register: registry });
  const rpcs = createDurations(registry, 'florin_rpc_server_duration_seconds', 'Duration of served RPCs', ['rpc', 'code']);
  const requests = createDurations(registry, 'florin_http_server_duration_seconds', 'Duration of served HTTP requests', [
    'method',
    'route',
    'status',
  ]);
  return {
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
    rpcServed: (rpc, code, ms) => rpcs([rpc, code], ms),
    requestServed: (method, route, status, ms) => requests([method, route, String(status)], ms),
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
