import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript } from '@florin/image';
import { runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, servePage } from '../support/browser.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { findRuntimes, RUNTIME_NAMES, type Runtime } from '../support/runtimes.ts';
import { EXPECTED } from './client-program.ts';

const INSTALL_MS = 600_000;
const RUN_MS = 120_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);

let folder: string;
let program: string;
let platform: PlatformInProcess;
let runtimes: ReadonlyMap<string, Runtime>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-client-'));
  program = await bundleScript(join(import.meta.dirname, 'client-program.ts'), 'browser');
  [platform, runtimes] = await Promise.all([startPlatformInProcess(), findRuntimes(report)]);
}, INSTALL_MS);
afterAll(async () => {
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('@florin/client', { timeout: RUN_MS }, () => {
  it.for(RUNTIME_NAMES)('plays the story in %s', async (name, { skip }) => {
    const runtime = runtimes.get(name);
    if (runtime === undefined) return skip(`${name} is not available`);
    await writeFile(join(folder, 'program.mjs'), program);
    const script = join(folder, `play-${name}.mjs`);
    await writeFile(
      script,
      `import { play } from './program.mjs';\nconsole.log(JSON.stringify(await play(${JSON.stringify(platform.url)})));\n`,
    );
    const { command, args } = runtime;
    const output = await runStep({ command, args: [...args, script], env: processEnvironment(), cwd: folder, timeoutMs: RUN_MS });
    expect(JSON.parse(output)).toEqual(EXPECTED);
  });

  it('plays the story in Chromium', async ({ skip }) => {
    const browser = await openBrowser(report);
    if (browser === undefined) return skip('Chromium is not available');
    const pages = await servePage();
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${pages.port}/`);
      const source = `data:text/javascript;base64,${Buffer.from(program).toString('base64')}`;
      const seen = await page.evaluate(`import(${JSON.stringify(source)}).then(({ play }) => play(${JSON.stringify(platform.url)}))`);
      expect(seen).toEqual(EXPECTED);
    } finally {
      pages.close();
      await browser.close();
    }
  });
});
