import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runStep, StepError, startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { troubleBooks } from './books/index.ts';
import { troubleCards } from './cards/index.ts';
import { troubleChain } from './chain/index.ts';
import { troubleEvents } from './events/index.ts';
import { inDataDir } from './in-data-dir.ts';
import { troubleDemo } from './kill-while-demo-loops.ts';
import { troubleLedger } from './ledger/index.ts';
import { DEFAULT_LIMITS, growRedis } from './redis-growth.ts';
import { type SeededOptions, type Seeds, seededRuns } from './seeded-runs.ts';

type Options = { kills: number; only?: readonly string[] | undefined; failover: boolean; report: (line: string) => void };

/** Concurrent decisions, cancellations and expiries on two instances of threeds, in the form of its test with more rounds. */
const races = async ({ kills: rounds, report }: Options): Promise<{ problems: string[] }> => {
  const args = ['run', 'services/threeds/src/handlers/random-races.test.ts'];
  try {
    await runStep({
      command: join(ROOT, 'node_modules/.bin/vitest'),
      args,
      cwd: ROOT,
      env: { ...benchEnvironment(), RACE_ROUNDS: String(rounds) },
      timeoutMs: 30 * 60_000,
    });
    report(`${rounds} challenges had exactly one outcome each`);
    return { problems: [] };
  } catch (error) {
    const output = error instanceof StepError ? error.output : String(error);
    report(output);
    return { problems: [output] };
  }
};

/** Fresh wallets from one address, against the default limits. */
const redis = ({ kills: wallets, ...options }: Options): Promise<{ problems: string[] }> =>
  inDataDir({ name: 'redis', ...options }, async ({ dataDir, report }) => {
    const { REDIS_URL: _redis, ...env } = benchEnvironment();
    const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...env, ...DEFAULT_LIMITS }, report });
    try {
      return await growRedis({ gatewayUrl: platform.urls.gateway, redisUrl: platform.redisUrl }, { wallets, report });
    } finally {
      await platform.stop();
    }
  });

/** Fault runs by name, with the default number of kills, rounds or wallets. */
const RUNS: Readonly<Record<string, { run: (options: Options) => Promise<{ problems: string[] }>; kills: number }>> = {
  demo: { run: troubleDemo, kills: 20 },
  ledger: { run: (options) => troubleLedger({ ...options, namespaces: true }), kills: 50 },
  cards: { run: troubleCards, kills: 25 },
  chain: { run: troubleChain, kills: 20 },
  books: { run: troubleBooks, kills: 20 },
  events: { run: troubleEvents, kills: 25 },
  races: { run: races, kills: 1000 },
  redis: { run: redis, kills: 100_000 },
};

/** Runs that can let MongoDB fail over. */
const FAILING: ReadonlySet<string> = new Set(['cards', 'demo', 'events', 'ledger']);

/** Runs that are repeated with random numbers from a seed each, in a short form. */
const SEEDED: Readonly<Record<string, (seeds: Seeds, options: SeededOptions) => Promise<{ problems: string[] }>>> = {
  books: seededRuns(troubleBooks),
  chain: seededRuns(troubleChain),
};

/** The options of the command line; undefined when they are not understood. */
const read = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { kills: { type: 'string' }, seeds: { type: 'string' }, only: { type: 'string' }, failover: { type: 'boolean' } },
    });
  } catch {
    return undefined;
  }
};

/** The seeds 1 to N, or FIRST-LAST; undefined when the text is neither. */
const toSeeds = (text: string): Seeds | undefined => {
  const [, one, to] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(text) ?? [];
  if (one === undefined) return undefined;
  const seeds = to === undefined ? { first: 1, last: Number(one) } : { first: Number(one), last: Number(to) };
  return seeds.first <= seeds.last ? seeds : undefined;
};

/** `npm run faults -- NAME [--kills N | --seeds N] [--only PROCESS,…] [--failover]`: kills processes under load, then audits the data. */
const given = read();
const chosen = RUNS[given?.positionals[0] ?? ''];
const kills = Number(given?.values.kills ?? chosen?.kills);
const seeded = SEEDED[given?.positionals[0] ?? ''];
const wantsSeeds = given?.values.seeds !== undefined;
const seeds = toSeeds(given?.values.seeds ?? '');
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;
const failover = given?.values.failover === true;
const canFail = !failover || FAILING.has(given?.positionals[0] ?? '');
const isSeeded = !wantsSeeds || (seeded !== undefined && given?.values.kills === undefined && seeds !== undefined);

if (given === undefined || chosen === undefined || given.positionals.length > 1 || !isCount(kills) || !isSeeded || !canFail) {
  process.stderr.write(
    `usage: npm run faults -- NAME [--kills N] [--only PROCESS,...] [--failover], NAME one of: ${Object.keys(RUNS).join(', ')}; --only for books, cards, chain and events, --failover for ${[...FAILING].join(', ')}, and for ${Object.keys(SEEDED).join(' and ')} --seeds N or --seeds FIRST-LAST instead of --kills\n`,
  );
  process.exitCode = 2;
} else {
  const report = (line: string): void => void process.stdout.write(`${line}\n`);
  const only = given.values.only?.split(',');
  const { problems } = await (seeds === undefined || seeded === undefined
    ? chosen.run({ kills, only, failover, report })
    : seeded(seeds, { only, report }));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
