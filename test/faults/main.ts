import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { killWhileDemoLoops } from './kill-while-demo-loops.ts';
import { troubleLedger } from './ledger/index.ts';

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

/** Fault runs by name, with the default number of kills. */
const RUNS: Readonly<Record<string, { run: (options: Options) => Promise<{ problems: string[] }>; kills: number }>> = {
  demo: { run: demo, kills: 20 },
  ledger: { run: troubleLedger, kills: 50 },
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
