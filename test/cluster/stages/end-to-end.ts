import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { processEnvironment } from '@florin/rpc/config';
import { PLATFORM_URL } from '../../support/platform.ts';
import { ROOT } from '../../support/settings.ts';
import type { Stage } from './stage.ts';

const TESTS = join(ROOT, 'test/e2e/rest');
/** The last lines of a run that failed say what failed. */
const SHOWN_LINES = 40;

/** The end-to-end tests that need nothing but REST. */
export const endToEnd: Stage = {
  name: 'tests',
  run: async ({ cluster, url, report }) => {
    const log = join(cluster.state.logs, 'tests.log');
    const output = createWriteStream(log);
    const child = spawn(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(TESTS, 'vitest.config.ts')],
      {
        env: { ...processEnvironment(), [PLATFORM_URL]: url, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const lines: string[] = [];
    const keep = (chunk: Buffer): void => {
      output.write(chunk);
      lines.push(...chunk.toString('utf8').split('\n').filter(Boolean));
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    await finished(output.end());
    report(
      lines
        .filter((line) => /^\s*Tests /.test(line))
        .at(-1)
        ?.trim() ?? 'the tests printed no summary',
    );
    return code === 0 ? [] : [`the end-to-end tests ended with code ${code}`, ...lines.slice(-SHOWN_LINES)];
  },
};
