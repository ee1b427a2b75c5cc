import autocannon from 'autocannon';
import { startFloor } from './floor.ts';
import { processorMicroseconds } from './process-times.ts';
import { median, type Row } from './row.ts';
import { sized } from './sized.ts';

const CONNECTIONS = 64;
const ROUNDS = sized(3, 1);
const ROUND_SECONDS = sized(5, 1);
/** Long enough for the code of all processes to be compiled: before, they need up to twice the processor time. */
const WARM_UP_SECONDS = sized(20, 1);

type Pids = Readonly<Record<string, number>>;

/** The measurements of a round of load. */
export type Load = {
  perSecond: number;
  p99: number;
  /** Processor time per request in microseconds, by process. */
  processor: Readonly<Record<string, number>>;
};

/** Sends requests over 64 connections for so many seconds. @throws Error when one of them fails */
export const load = async (url: string, token: string, duration: number, pids: Pids = {}): Promise<Load> => {
  const times = (): Map<string, number> => new Map(Object.entries(pids).map(([name, pid]) => [name, processorMicroseconds(pid)]));
  const before = times();
  const result = await autocannon({ url, connections: CONNECTIONS, duration, headers: { authorization: `Bearer ${token}` } });
  const after = times();
  const bad = result.errors + result.timeouts + result.non2xx;
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests failed; the result is invalid`);
  // On a busy machine the first answers may take longer than a short measurement.
  if (result.requests.total === 0) return load(url, token, duration * 2, pids);
  const used = [...after].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / result.requests.total]);
  return { perSecond: result.requests.average, p99: result.latency.p99, processor: Object.fromEntries(used) };
};

const processorRows = (name: string, loads: readonly Load[], pids: Pids): Row[] =>
  Object.keys(pids).map((process) => ({
    name: `${name} processor time per request: ${process}`,
    value: median(loads.map(({ processor }) => processor[process] ?? Number.NaN)),
    unit: 'µs',
  }));

/** A read to measure: its path, its response body for the floor, and the processes that serve it, by name. */
export type Read = { path: string; body: unknown; pids?: Pids };

/**
 * Compares authenticated reads with the floor (`floor.ts`) that returns the same bodies, in alternating rounds. Load generator, gateway,
 * service, engines and floor share the cores of the machine.
 * @param reads by row name
 */
export const compareReads = async (
  gatewayUrl: string,
  token: string,
  reads: Readonly<Record<string, Read>>,
  report: (line: string) => void,
): Promise<Row[]> => {
  const floor = await startFloor(Object.fromEntries(Object.values(reads).map(({ path, body }) => [path, body])));
  try {
    const rows: Row[] = [];
    for (const [name, { path, pids = {} }] of Object.entries(reads)) {
      await load(floor.url + path, token, WARM_UP_SECONDS);
      await load(gatewayUrl + path, token, WARM_UP_SECONDS);
      const floors: Load[] = [];
      const ours: Load[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        report(`${name}: round ${round} of ${ROUNDS}`);
        floors.push(await load(floor.url + path, token, ROUND_SECONDS, floor.pids));
        ours.push(await load(gatewayUrl + path, token, ROUND_SECONDS, pids));
      }
      const value = median(ours.map(({ perSecond }) => perSecond));
      const peerValue = median(floors.map(({ perSecond }) => perSecond));
      rows.push(
        { name, value, unit: 'requests/s', peer: 'floor', ratio: value / peerValue },
        { name: 'floor', value: peerValue, unit: 'requests/s' },
        { name: `${name} p99`, value: median(ours.map(({ p99 }) => p99)), unit: 'ms' },
        ...processorRows(name, ours, pids),
        ...processorRows(name, floors, floor.pids),
      );
    }
    return rows;
  } finally {
    floor.stop();
  }
};
