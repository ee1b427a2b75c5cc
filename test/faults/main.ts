import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { killWhileDemoLoops } from './kill-while-demo-loops.ts';

/** `npm run faults -- demo [--kills N]`: kills random processes while people live through the story, then counts what is there. */
const [name, flag, value] = process.argv.slice(2);
const kills = flag === '--kills' ? Number(value) : 20;

if (name !== 'demo' || !Number.isInteger(kills) || kills < 1) {
  process.stderr.write('usage: npm run faults -- demo [--kills N]\n');
  process.exitCode = 2;
} else {
  const report = (line: string): void => void process.stdout.write(`${line}\n`);
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-faults-'));
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: benchEnvironment(), report });
  try {
    const { problems } = await killWhileDemoLoops(platform, { kills, report });
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
