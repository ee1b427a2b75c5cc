import { resolve } from 'node:path';
import type { Platform } from '@florin/local';
import { ROOT } from '../support/settings.ts';
import { startCheckout } from './against.ts';
import { CALLERS, CARDS_ENVIRONMENT, type CardLoad, closedLoop, openCardLoad, openLoop } from './cards-load.ts';
import { processorMicroseconds } from './process-times.ts';
import { median, type Row } from './row.ts';
import { sized } from './sized.ts';

const ROUNDS = sized(4, 1);
const ROUND_SECONDS = sized(4, 1);
const WARM_UP_SECONDS = sized(6, 1);

type Call = 'authorize' | 'hold';
type Measured = { perSecond: number; processor: Readonly<Record<string, number>> };
type Side = { name: string; platform: Platform; load: CardLoad; results: Record<Call, Measured[]>; latencies: Record<Call, number[]> };

/** Processor time of each process of a platform, of its engines, and of this process, in microseconds. */
const processorTimes = (platform: Platform): Map<string, number> => {
  const pids = platform.processes().flatMap(({ name, pid }): [string, number][] => (pid === undefined ? [] : [[name, pid]]));
  return new Map([...pids, ['load generator', process.pid] as [string, number]].map(([name, pid]) => [name, processorMicroseconds(pid)]));
};

const round = async ({ platform, load, results }: Side, call: Call, seconds = ROUND_SECONDS): Promise<void> => {
  const before = processorTimes(platform);
  const { perSecond } = await closedLoop((caller) => load[call](load.cardAt(caller)), seconds);
  const after = processorTimes(platform);
  const calls = perSecond * seconds;
  const processor = Object.fromEntries([...after].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / calls]));
  await load.measure(Promise.resolve());
  results[call].push({ perSecond, processor });
};

const rateOf = ({ results }: Side, call: Call): number => median(results[call].map(({ perSecond }) => perSecond));
const ratioOf = (side: Side): number => rateOf(side, 'authorize') / rateOf(side, 'hold');

const processorRows = (side: Side, call: Call): Row[] =>
  Object.keys(side.results[call][0]?.processor ?? {})
    .map((process) => ({
      name: `${side.name}: processor time per ${call}: ${process}`,
      value: median(side.results[call].map(({ processor }) => processor[process] ?? Number.NaN)),
      unit: 'µs',
    }))
    .filter(({ value }) => value >= 5);

/**
 * Compares authorizations and holds of this checkout with those of another one: both platforms run at the same time, and rounds alternate between them, so
 * that both see the same machine. The load generator is this checkout's.
 */
export const benchCardsAgainst = async (against: string, report: (line: string) => void): Promise<Row[]> => {
  const started: Awaited<ReturnType<typeof startCheckout>>[] = [];
  try {
    const sides: Side[] = [];
    for (const [name, rootDir] of [
      ['this checkout', ROOT],
      ['the other checkout', resolve(against)],
    ] as const) {
      const checkout = await startCheckout(rootDir, report, CARDS_ENVIRONMENT);
      started.push(checkout);
      const load = await openCardLoad(checkout.platform, checkout.dataDir, report);
      sides.push({ name, platform: checkout.platform, load, results: { authorize: [], hold: [] }, latencies: { authorize: [], hold: [] } });
    }
    for (const side of sides) for (const call of ['hold', 'authorize'] as const) await round(side, call, WARM_UP_SECONDS);
    for (const { results } of sides) for (const call of ['hold', 'authorize'] as const) results[call].length = 0;
    for (let count = 1; count <= ROUNDS; count += 1) {
      report(`round ${count} of ${ROUNDS}`);
      for (const call of ['hold', 'authorize'] as const) for (const side of sides) await round(side, call);
    }
    // One rate for all, so that their latencies compare.
    const rate = Math.min(...sides.map((side) => rateOf(side, 'authorize'))) / 2;
    for (let count = 1; count <= ROUNDS; count += 1) {
      report(`latency: round ${count} of ${ROUNDS}`);
      for (const call of ['hold', 'authorize'] as const) {
        for (const { load, latencies } of sides) {
          let turn = 0;
          const next = () => {
            turn += 1;
            return load[call](load.cardAt(turn));
          };
          latencies[call].push(await load.measure(openLoop(next, rate, ROUND_SECONDS)));
        }
      }
    }
    const [ours, theirs] = sides as [Side, Side];
    const authorizations = `authorizations at ${CALLERS} callers`;
    return [
      {
        ...{ name: authorizations, value: rateOf(ours, 'authorize'), unit: 'calls/s', peer: theirs.name },
        ratio: rateOf(ours, 'authorize') / rateOf(theirs, 'authorize'),
      },
      ...sides.flatMap((side) => [
        { name: `${side.name}: authorizations`, value: rateOf(side, 'authorize'), unit: 'calls/s', peer: 'holds', ratio: ratioOf(side) },
        { name: `${side.name}: holds`, value: rateOf(side, 'hold'), unit: 'calls/s' },
        {
          ...{ name: `${side.name}: authorizations p99 at ${Math.round(rate)}/s`, value: median(side.latencies.authorize), unit: 'ms' },
          ...{ peer: 'holds', ratio: median(side.latencies.authorize) / median(side.latencies.hold) },
        },
        { name: `${side.name}: holds p99 at ${Math.round(rate)}/s`, value: median(side.latencies.hold), unit: 'ms' },
        ...processorRows(side, 'authorize'),
        ...processorRows(side, 'hold'),
      ]),
    ];
  } finally {
    for (const { stop } of started) await stop();
  }
};
