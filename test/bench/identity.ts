import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Platform } from '@florin/local';
import autocannon from 'autocannon';
import { ROOT } from '../support/settings.ts';

import { openJsonClient } from './json-client.ts';
import { nativeWallet } from './native-wallet.ts';
import { onPlatform } from './on-platform.ts';
import { median, percentile, type Row } from './row.ts';
import { signInOnce } from './sign-ins.ts';
import { sized } from './sized.ts';

type Report = (line: string) => void;

const CALLERS = 32;
const ROUNDS = sized(3, 1);
const SIGN_INS_PER_CALLER = sized(40, 2);
const WARM_UP_PER_CALLER = sized(15, 1);

const CONNECTIONS = 64;
/** Kept small because autocannon prepares every request for every connection in advance. */
const TOKENS = 50;
const CHECK_ROUNDS = sized(5, 1);
const CHECK_SECONDS = sized(4, 1);

/** Full sign-ins through the gateway, one after the other per caller. Signing is included. */
const benchSignIns = async (platform: Platform, report: Report): Promise<{ rows: Row[]; tokens: string[] }> => {
  const client = openJsonClient(platform.urls.gateway);
  const wallets = Array.from({ length: CALLERS }, nativeWallet);
  const tokens: string[] = [];
  const round = async (perCaller: number) => {
    const started = performance.now();
    const latencies = await Promise.all(
      wallets.map(async (wallet) => {
        const each: number[] = [];
        for (let count = 0; count < perCaller; count += 1) {
          const begun = performance.now();
          tokens.push((await signInOnce(client, wallet)).accessToken);
          each.push(performance.now() - begun);
        }
        return each;
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    const all = latencies.flat();
    return { perSecond: all.length / seconds, p50: percentile(all, 0.5), p99: percentile(all, 0.99) };
  };

  await round(WARM_UP_PER_CALLER);
  const results: Awaited<ReturnType<typeof round>>[] = [];
  for (let count = 1; count <= ROUNDS; count += 1) {
    report(`sign-ins: round ${count} of ${ROUNDS}`);
    results.push(await round(SIGN_INS_PER_CALLER));
  }
  await client.close();
  const name = `full sign-ins at ${CALLERS} callers`;
  const rows = [
    { name, value: median(results.map(({ perSecond }) => perSecond)), unit: 'sign-ins/s' },
    { name: `${name} p50`, value: median(results.map(({ p50 }) => p50)), unit: 'ms' },
    { name: `${name} p99`, value: median(results.map(({ p99 }) => p99)), unit: 'ms' },
  ];
  return { rows, tokens };
};

/** Cost of the token check: the same route with and without it, in alternating rounds, with the tokens of several sessions. */
const benchTokenCheck = async (platform: Platform, tokens: readonly string[], report: Report): Promise<Row[]> => {
  const peer = fork(join(ROOT, 'test/bench/token-check.ts'));
  try {
    peer.send({ identityUrl: platform.urls.identity, redisUrl: platform.redisUrl });
    const [{ port }] = (await once(peer, 'message')) as [{ port: number }];
    const load = async (path: string, duration: number): Promise<number> => {
      const requests = tokens.slice(-TOKENS).map((token) => ({ path, headers: { authorization: `Bearer ${token}` } }));
      const result = await autocannon({ url: `http://127.0.0.1:${port}`, connections: CONNECTIONS, duration, requests });
      const { errors, timeouts, non2xx } = result;
      if (errors + timeouts + non2xx > 0) {
        throw new Error(`${path}: ${errors} errors, ${timeouts} timeouts, ${non2xx} error responses; the result is invalid`);
      }
      return result.requests.average;
    };
    for (const path of ['/open', '/checked']) await load(path, CHECK_SECONDS);
    const [open, checked]: [number[], number[]] = [[], []];
    for (let count = 1; count <= CHECK_ROUNDS; count += 1) {
      report(`token checks: round ${count} of ${CHECK_ROUNDS}`);
      open.push(await load('/open', CHECK_SECONDS));
      checked.push(await load('/checked', CHECK_SECONDS));
    }
    const [value, without] = [median(checked), median(open)];
    return [
      { name: 'requests with a token check', value, unit: 'requests/s', peer: 'without a token check', ratio: value / without },
      { name: 'requests without a token check', value: without, unit: 'requests/s' },
    ];
  } finally {
    peer.kill();
  }
};

/** Sign-ins and token checks. Load generator, platform and engines run on this machine. */
export const benchIdentity = (report: Report): Promise<Row[]> =>
  onPlatform(report, async (platform) => {
    const { rows, tokens } = await benchSignIns(platform, report);
    return [...rows, ...(await benchTokenCheck(platform, tokens, report))];
  });
