import { CALLERS, CARDS_ENVIRONMENT, type CardLoad, closedLoop, openCardLoad, openLoop } from './cards-load.ts';
import { type Checkout, measureProcessor, withCheckouts } from './checkouts.ts';
import { median, type Row } from './row.ts';
import { sized } from './sized.ts';

const ROUNDS = sized(4, 1);
const ROUND_SECONDS = sized(4, 1);
const WARM_UP_SECONDS = sized(6, 1);

type Call = 'authorize' | 'hold';
type Measured = { perSecond: number; processor: Readonly<Record<string, number>> };
type Side = { checkout: Checkout; load: CardLoad; results: Record<Call, Measured[]>; latencies: Record<Call, number[]> };

const round = async (checkouts: readonly Checkout[], side: Side, call: Call, seconds = ROUND_SECONDS): Promise<void> => {
  const { checkout, load, results } = side;
  const work = () => closedLoop((caller) => load[call](load.cardAt(caller)), seconds);
  const { result, processor } = await measureProcessor(checkouts, checkout, work);
  const used = [...processor].map(([process, time]) => [process, time / result.count] as const);
  const total = used.reduce((sum, [, time]) => sum + time, 0);
  await load.measure(Promise.resolve());
  results[call].push({ perSecond: result.perSecond, processor: Object.fromEntries([['all processes', total], ...used]) });
};

const rateOf = ({ results }: Side, call: Call): number => median(results[call].map(({ perSecond }) => perSecond));
const ratioOf = (side: Side): number => rateOf(side, 'authorize') / rateOf(side, 'hold');

const processorRows = (side: Side, call: Call): Row[] =>
  Object.keys(side.results[call][0]?.processor ?? {})
    .map((process) => ({
      name: `${side.checkout.name}: processor time per ${call}: ${process}`,
      value: median(side.results[call].map(({ processor }) => processor[process] ?? Number.NaN)),
      unit: 'µs',
    }))
    .filter(({ value }) => value >= 5);

/** Compares authorizations and holds of this checkout with those of another one. */
export const benchCardsAgainst = (against: string, report: (line: string) => void): Promise<Row[]> =>
  withCheckouts(against, { report, env: CARDS_ENVIRONMENT }, async (checkouts) => {
    const sides: Side[] = [];
    for (const checkout of checkouts) {
      const load = await openCardLoad(checkout.platform, checkout.dataDir, report);
      sides.push({ checkout, load, results: { authorize: [], hold: [] }, latencies: { authorize: [], hold: [] } });
    }
    for (const side of sides) for (const call of ['hold', 'authorize'] as const) await round(checkouts, side, call, WARM_UP_SECONDS);
    for (const { results } of sides) for (const call of ['hold', 'authorize'] as const) results[call].length = 0;
    for (let count = 1; count <= ROUNDS; count += 1) {
      report(`round ${count} of ${ROUNDS}`);
      for (const call of ['hold', 'authorize'] as const) for (const side of sides) await round(checkouts, side, call);
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
        ...{ name: authorizations, value: rateOf(ours, 'authorize'), unit: 'calls/s', peer: theirs.checkout.name },
        ratio: rateOf(ours, 'authorize') / rateOf(theirs, 'authorize'),
      },
      ...sides.flatMap((side) => [
        {
          name: `${side.checkout.name}: authorizations`,
          value: rateOf(side, 'authorize'),
          unit: 'calls/s',
          peer: 'holds',
          ratio: ratioOf(side),
        },
        { name: `${side.checkout.name}: holds`, value: rateOf(side, 'hold'), unit: 'calls/s' },
        {
          ...{
            name: `${side.checkout.name}: authorizations p99 at ${Math.round(rate)}/s`,
            value: median(side.latencies.authorize),
            unit: 'ms',
          },
          ...{ peer: 'holds', ratio: median(side.latencies.authorize) / median(side.latencies.hold) },
        },
        { name: `${side.checkout.name}: holds p99 at ${Math.round(rate)}/s`, value: median(side.latencies.hold), unit: 'ms' },
        ...processorRows(side, 'authorize'),
        ...processorRows(side, 'hold'),
      ]),
    ];
  });
