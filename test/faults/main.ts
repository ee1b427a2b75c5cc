import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStep, StepError, startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { troubleCards } from './cards/index.ts';
import { troubleChain } from './chain/index.ts';
import { killWhileDemoLoops } from './kill-while-demo-loops.ts';
import { troubleLedger } from './ledger/index.ts';
import { DEFAULT_LIMITS, growRedis } from './redis-growth.ts';

type Options = { kills: number; report: (line: string) => void };

const demo = async ({ kills, report }: Options): Promise<{ problems: string[] }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-faults-'));
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: benchEnvironment(), report });
  try {
    return await killWhileDemoLoops(platform, { kills, report });
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

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
const redis = async ({ kills: wallets, report }: Options): Promise<{ problems: string[] }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-faults-'));
  const { REDIS_URL: _redis, ...env } = benchEnvironment();
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...env, ...DEFAULT_LIMITS }, report });
  try {
    return await growRedis({ gatewayUrl: platform.urls.gateway, redisUrl: platform.redisUrl }, { wallets, report });
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Fault runs by name, with the default number of kills, rounds or wallets. */
const RUNS: Readonly<Record<string, { run: (options: Options) => Promise<{ problems: string[] }>; kills: number }>> = {
  demo: { run: demo, kills: 20 },
  ledger: { run: (options) => troubleLedger({ ...options, namespaces: true }), kills: 50 },
  cards: { run: troubleCards, kills: 25 },
  chain: { run: troubleChain, kills: 20 },
  races: { run: races, kills: 1000 },
  redis: { run: redis, kills: 100_000 },
};

/** `npm run faults -- NAME [--kills N]`: kills processes under load, then audits the data. */
const [name = '', flag, value] = process.argv.slice(2);
const chosen = RUNS[name];
const kills = flag === '--kills' ? Number(value) : chosen?.kills;

if (chosen === undefined || kills === undefined || !Number.isInteger(kills) || kills < 1) {
  process.stderr.write(`usage: npm run faults -- NAME [--kills N], NAME one of: ${Object.keys(RUNS).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const { problems } = await chosen.run({ kills, report: (line) => void process.stdout.write(`${line}\n`) });
  process.exitCode = problems.length === 0 ? 0 : 1;
}
