import { createServer } from 'node:http';
import type { Platform } from '@florin/local';
import { bind } from '@florin/rpc/process';
import { createApiClient } from '../support/api-client.ts';
import { ROOT } from '../support/settings.ts';
import { registerPerson } from '../support/story.ts';
import { startCheckout } from './against.ts';
import { type Load, load } from './load.ts';
import { pidOf } from './on-platform.ts';
import { median, type Row } from './row.ts';

const ROUNDS = 6;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 20;

const PATH = '/user/balances/v2';
const PROCESSES = ['gateway', 'ledger'] as const;

type Side = { name: string; platform: Platform; token: string; loads: Load[]; stop: () => Promise<void> };

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

const openSide = async (name: string, more: NodeJS.ProcessEnv, report: (line: string) => void): Promise<Side> => {
  const { platform, stop } = await startCheckout(ROOT, report, more);
  const { token } = await registerPerson(createApiClient(platform.urls.gateway));
  return { name, platform, token, loads: [], stop };
};

const round = async ({ platform, token }: Side, seconds: number): Promise<Load> => {
  const pids = Object.fromEntries(PROCESSES.map((name) => [name, pidOf(platform, name)]));
  return load(platform.urls.gateway + PATH, token, seconds, pids);
};

/**
 * What traces cost: a read through gateway and ledger, of all requests the one in which a span weighs most, without traces and with a tenth of the traces recorded.
 * Both platforms run at the same time, and rounds alternate between them, so that both see the same machine.
 */
export const benchTraces = async (report: (line: string) => void): Promise<Row[]> => {
  const sink = await startSink();
  const sides: Side[] = [];
  try {
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_TRACES_SAMPLER_ARG: '0.1' };
    sides.push(await openSide('without traces', {}, report), await openSide('with 10 % of the traces', traced, report));
    for (const side of sides) await round(side, WARM_UP_SECONDS);
    for (let count = 1; count <= ROUNDS; count += 1) {
      report(`traces: round ${count} of ${ROUNDS}`);
      // In turn, so that neither side is always the first.
      for (const side of count % 2 === 0 ? sides : sides.toReversed()) side.loads.push(await round(side, ROUND_SECONDS));
    }
    if (sink.received() === 0) throw new Error('no span was exported; the result is invalid');
    const [off, on] = sides as [Side, Side];
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
    for (const { stop } of sides) await stop();
    sink.close();
  }
};
