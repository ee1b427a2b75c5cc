import { createServer } from 'node:http';
import { bind } from '@florin/rpc/process';
import { createApiClient } from '../support/api-client.ts';
import { registerPerson } from '../support/story.ts';
import { startCheckout } from './checkouts.ts';
import { type Load, load } from './load.ts';
import { pidOf } from './on-platform.ts';
import { median, type Row } from './row.ts';
import { sized } from './sized.ts';

/** Starts of the platform on each side. One is not enough: what V8 makes of the same code differs from start to start by more than what traces cost. */
const STARTS = sized(6, 1);
const WARM_UP_SECONDS = sized(12, 1);
const MEASURED_SECONDS = sized(8, 1);

const PATH = '/user/balances/v2';
const PROCESSES = ['gateway', 'ledger'] as const;

type Side = { name: string; environment: NodeJS.ProcessEnv; loads: Load[] };

/** A collector that reads and forgets. It runs beside the load generator, so that receiving spans takes nothing from the processes. */
const startSink = async () => {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
    });
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  const { url } = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    received: () => bytes,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const measure = async ({ environment }: Side, report: (line: string) => void): Promise<Load> => {
  const { platform, stop } = await startCheckout({}, report, environment);
  try {
    const url = platform.urls.gateway + PATH;
    const { token } = await registerPerson(createApiClient(platform.urls.gateway));
    await load(url, token, WARM_UP_SECONDS);
    const pids = Object.fromEntries(PROCESSES.map((name) => [name, pidOf(platform, name)]));
    return await load(url, token, MEASURED_SECONDS, pids);
  } finally {
    await stop();
  }
};

/**
 * Measures the cost of traces: a read through gateway and ledger, of all requests the one in which a span weighs most, without traces and with a tenth of the traces recorded.
 * One platform at a time, started anew for each measurement, the sides in turn.
 */
export const benchTraces = async (report: (line: string) => void): Promise<Row[]> => {
  const sink = await startSink();
  try {
    const off: Side = { name: 'without traces', environment: {}, loads: [] };
    const on: Side = {
      name: 'with 10 % of the traces',
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_TRACES_SAMPLER_ARG: '0.1' },
      loads: [],
    };
    for (let count = 1; count <= STARTS; count += 1) {
      // In turn, so that neither side is always the first.
      for (const side of count % 2 === 0 ? [off, on] : [on, off]) {
        side.loads.push(await measure(side, () => undefined));
        report(`traces: start ${count} of ${STARTS}, ${side.name}: ${side.loads.at(-1)?.perSecond.toFixed(0)} requests/s`);
      }
    }
    if (sink.received() === 0) throw new Error('no span was exported; the result is invalid');
    const rows = (what: string, unit: string, of: (one: Load) => number): Row[] => {
      const [value, peer] = [median(on.loads.map(of)), median(off.loads.map(of))];
      return [
        { name: `${what}, ${on.name}`, value, unit, peer: off.name, ratio: value / peer },
        { name: `${what}, ${off.name}`, value: peer, unit },
      ];
    };
    return [
      ...rows(`GET ${PATH}`, 'requests/s', ({ perSecond }) => perSecond),
      ...rows(`GET ${PATH} p99`, 'ms', ({ p99 }) => p99),
      ...PROCESSES.flatMap((name) => rows(`processor time per request: ${name}`, 'µs', ({ processor }) => processor[name] ?? Number.NaN)),
    ];
  } finally {
    sink.close();
  }
};
