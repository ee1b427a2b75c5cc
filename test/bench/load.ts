import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { ROOT } from '../support/settings.ts';
import { median, type Row } from './row.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 3;

type Load = { perSecond: number; p99: number };

const load = async (url: string, token: string, duration: number): Promise<Load> => {
  const result = await autocannon({ url, connections: CONNECTIONS, duration, headers: { authorization: `Bearer ${token}` } });
  const bad = result.errors + result.timeouts + result.non2xx;
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests failed; the result is invalid`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
};

const startPeer = async (bodies: Record<string, unknown>): Promise<{ peer: ChildProcess; url: string }> => {
  const peer = fork(join(ROOT, 'test/bench/bare-express.ts'));
  peer.send(bodies);
  const [{ port }] = (await once(peer, 'message')) as [{ port: number }];
  return { peer, url: `http://127.0.0.1:${port}` };
};

/**
 * Compares authenticated reads with a bare Express handler that returns the same bodies, in alternating rounds. Load generator, gateway,
 * service, engines and peer share the cores of the machine.
 * @param reads path and response body of the peer by row name
 */
export const compareReads = async (
  gatewayUrl: string,
  token: string,
  reads: Readonly<Record<string, { path: string; body: unknown }>>,
  report: (line: string) => void,
): Promise<Row[]> => {
  const bodies = Object.fromEntries(Object.values(reads).map(({ path, body }) => [path, body]));
  const { peer, url: peerUrl } = await startPeer(bodies);
  try {
    const rows: Row[] = [];
    for (const [name, { path }] of Object.entries(reads)) {
      await load(peerUrl + path, token, WARM_UP_SECONDS);
      await load(gatewayUrl + path, token, WARM_UP_SECONDS);
      const bare: Load[] = [];
      const ours: Load[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        report(`${name}: round ${round} of ${ROUNDS}`);
        bare.push(await load(peerUrl + path, token, ROUND_SECONDS));
        ours.push(await load(gatewayUrl + path, token, ROUND_SECONDS));
      }
      const value = median(ours.map(({ perSecond }) => perSecond));
      const peerValue = median(bare.map(({ perSecond }) => perSecond));
      rows.push(
        { name, value, unit: 'requests/s', peer: 'bare Express handler', ratio: value / peerValue },
        { name: `${name} p99`, value: median(ours.map(({ p99 }) => p99)), unit: 'ms' },
        { name: 'bare Express handler', value: peerValue, unit: 'requests/s' },
      );
    }
    return rows;
  } finally {
    peer.kill();
  }
};
