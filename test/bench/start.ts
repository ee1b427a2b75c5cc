import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { residentMebibytes } from './memory.ts';
import type { Row } from './row.ts';
import { IS_SHORT } from './sized.ts';

const timed = async (dataDir: string, env: NodeJS.ProcessEnv, report: (line: string) => void) => {
  const started = performance.now();
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env, report });
  return { platform, seconds: (performance.now() - started) / 1000 };
};

const memoryRows = (platform: Platform): Row[] =>
  platform
    .processes()
    .flatMap(({ name, pid }) =>
      pid === undefined ? [] : [{ name: `resident memory: ${name}`, value: residentMebibytes(pid), unit: 'MiB' }],
    );

/**
 * Time until the platform is ready: with an empty cache (engines are downloaded and built), with cached engines on a new data directory,
 * and again on that data directory. Then the resident memory of each idle process.
 */
export const benchStart = async (report: (line: string) => void): Promise<Row[]> => {
  const scratch = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const dataDir = join(scratch, 'data');
  const rows: Row[] = [];
  try {
    await mkdir(join(scratch, 'cache'));
    report('cold: empty cache, empty data directory');
    // Building the engines takes minutes.
    const nothingCached = IS_SHORT ? {} : { XDG_CACHE_HOME: join(scratch, 'cache') };
    const cold = await timed(join(scratch, 'cold'), { ...benchEnvironment(), ...nothingCached }, report);
    await cold.platform.stop();
    report('first: engines cached, empty data directory');
    const first = await timed(dataDir, benchEnvironment(), report);
    await first.platform.stop();
    report('warm: engines cached, existing data directory');
    const warm = await timed(dataDir, benchEnvironment(), report);
    try {
      rows.push(
        { name: 'cold start (nothing cached)', value: cold.seconds, unit: 's' },
        { name: 'first start (engines cached)', value: first.seconds, unit: 's', peer: 'cold start', ratio: first.seconds / cold.seconds },
        { name: 'warm start (existing data)', value: warm.seconds, unit: 's', peer: 'cold start', ratio: warm.seconds / cold.seconds },
        ...memoryRows(warm.platform),
      );
    } finally {
      await warm.platform.stop();
    }
    return rows;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
