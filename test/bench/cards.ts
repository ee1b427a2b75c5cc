import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { CALLERS, CARDS_ENVIRONMENT, type Card, closedLoop, openCardLoad, openLoop } from './cards-load.ts';
import { benchReveals } from './reveals.ts';
import { median, type Row } from './row.ts';
import { sized } from './sized.ts';

const ROUNDS = sized(3, 1);
const ROUND_SECONDS = sized(4, 1);
const WARM_UP_SECONDS = sized(6, 1);
/** Authorizations after which another card is the hot one: an account has at most 1,000 open holds. */
const HOT_CARD_AUTHORIZATIONS = 250;

/**
 * Authorizations over gRPC, spread over cards and all of one card, against bare holds at the ledger (CreateEntries with one hold) in the same run; and reveals. Load generator,
 * platform and engines share the cores of the machine.
 */
export const benchCards = async (report: (line: string) => void): Promise<Row[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const env = { ...benchEnvironment(), ...CARDS_ENVIRONMENT };
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env, report });
  try {
    const { cards, cardAt, measure, authorize, hold } = await openCardLoad(platform, dataDir, report);
    let turn = 0;
    const next = (): Card => {
      turn += 1;
      return cardAt(turn);
    };

    let hotTurn = 0;
    const hotCard = (): Card => {
      hotTurn += 1;
      return cardAt(Math.floor(hotTurn / HOT_CARD_AUTHORIZATIONS));
    };

    report('warming up');
    await measure(closedLoop((caller) => hold(cardAt(caller)), WARM_UP_SECONDS));
    await measure(closedLoop((caller) => authorize(cardAt(caller)), WARM_UP_SECONDS));
    const rates: Record<'holds' | 'spread' | 'hot', number[]> = { holds: [], spread: [], hot: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      report(`round ${round} of ${ROUNDS}`);
      rates.holds.push((await measure(closedLoop((caller) => hold(cardAt(caller)), ROUND_SECONDS))).perSecond);
      rates.spread.push((await measure(closedLoop((caller) => authorize(cardAt(caller)), ROUND_SECONDS))).perSecond);
      rates.hot.push((await measure(closedLoop(() => authorize(hotCard()), ROUND_SECONDS))).perSecond);
    }
    const [holdRate, spread, hot] = [median(rates.holds), median(rates.spread), median(rates.hot)];
    const latency = { holds: [] as number[], authorizations: [] as number[] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      report(`latency: round ${round} of ${ROUNDS}`);
      latency.holds.push(await measure(openLoop(() => hold(next()), spread / 2, ROUND_SECONDS)));
      latency.authorizations.push(await measure(openLoop(() => authorize(next()), spread / 2, ROUND_SECONDS)));
    }
    const [holdP99, p99] = [median(latency.holds), median(latency.authorizations)];
    return [
      { name: `holds at ${CALLERS} callers`, value: holdRate, unit: 'calls/s' },
      { name: `authorizations at ${CALLERS} callers`, value: spread, unit: 'calls/s', peer: 'holds', ratio: spread / holdRate },
      { name: 'authorizations of one card', value: hot, unit: 'calls/s', peer: 'spread', ratio: hot / spread },
      { name: 'holds p99 at half the rate of authorizations', value: holdP99, unit: 'ms' },
      { name: 'authorizations p99 at half their rate', value: p99, unit: 'ms', peer: 'holds', ratio: p99 / holdP99 },
      ...(await benchReveals(platform, cards, report)),
    ];
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
