import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { ROOT } from '../support/settings.ts';
import { BENCHES } from './benches.ts';
import type { Row } from './row.ts';

const TIMEOUT_MS = 10 * 60_000;

/** Runs a benchmark as a person does, in its short form. */
const run = async (args: readonly string[]): Promise<Row[]> => {
  const command = [join(ROOT, 'test/bench/main.ts'), ...args, '--json', '--short'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, timeout: TIMEOUT_MS });
  return JSON.parse(stdout) as Row[];
};

const browser = await openBrowser((line) => process.stdout.write(`${line}\n`));
const canBrowse = browser !== undefined;
await browser?.close();

// Chromium and Hardhat are not everywhere.
const runs: Readonly<Record<string, boolean>> = { app: canBrowse, relayer: inject('evm'), settlement: inject('evm') };
const alone = Object.keys(BENCHES)
  .filter((name) => runs[name] ?? true)
  .map((name) => ({ title: name, args: [name] }));
// Decisions are compared as sign-ins are.
const beside = ['cards', 'sign-ins'].map((name) => ({
  title: `${name} against themselves`,
  args: [name, '--against', ROOT],
}));

describe('benchmarks', () => {
  it.each([...alone, ...beside])('ends with figures: $title', { timeout: TIMEOUT_MS }, async ({ args }) => {
    const rows = await run(args);
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, value } of rows) expect([name, Number.isFinite(value)]).toEqual([name, true]);
  });
});
