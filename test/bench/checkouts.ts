import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Platform, startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { processorByRoot } from './process-times.ts';

type Report = (line: string) => void;

/** A platform that runs the code of a checkout. */
export type Checkout = { name: string; platform: Platform; dataDir: string; stop: () => Promise<void> };

/** Starts the platform of a checkout by its own code, with a data directory of its own. */
export const startCheckout = async (
  { name = 'this checkout', rootDir = ROOT }: { name?: string; rootDir?: string },
  report: Report,
  more: NodeJS.ProcessEnv = {},
): Promise<Checkout> => {
  const local = (await import(pathToFileURL(join(rootDir, 'deploy/local/src/index.ts')).href)) as { startPlatform: typeof startPlatform };
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const platform = await local.startPlatform({ rootDir, dataDir, env: { ...benchEnvironment(), ...more }, report });
  return {
    name,
    platform,
    dataDir,
    stop: async () => {
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/**
 * Starts the platforms of this checkout and of another one, with its dependencies installed, and stops them after `compare`. Both run at the same time: rounds of
 * work that alternate between them see the same machine. The load generator is this checkout's.
 */
export const withCheckouts = async <T>(
  against: string,
  { report, env }: { report: Report; env?: NodeJS.ProcessEnv },
  compare: (checkouts: readonly Checkout[]) => Promise<T>,
): Promise<T> => {
  const checkouts: Checkout[] = [];
  try {
    for (const one of [{}, { name: 'the other checkout', rootDir: resolve(against) }])
      checkouts.push(await startCheckout(one, report, env));
    return await compare(checkouts);
  } finally {
    for (const { stop } of checkouts) await stop();
  }
};

const LOAD_GENERATOR = 'load generator';

/** Processor time so far, in microseconds, of each process of every checkout, with the engines, and of this process, which all of them descend from. */
const processorTimes = (checkouts: readonly Checkout[]): Map<string, number> => {
  const roots = new Map([[process.pid, LOAD_GENERATOR]]);
  for (const { name, platform } of checkouts)
    for (const { name: ofPlatform, pid } of platform.processes()) if (pid !== undefined) roots.set(pid, `${name}: ${ofPlatform}`);
  return processorByRoot(roots);
};

/**
 * Runs work at one of several checkouts.
 * @returns the processor time that it took in microseconds, of each process of that checkout and of the load generator
 */
export const measureProcessor = async <T>(
  checkouts: readonly Checkout[],
  { name }: Checkout,
  work: () => Promise<T>,
): Promise<{ result: T; processor: Map<string, number> }> => {
  const before = processorTimes(checkouts);
  const result = await work();
  const processor = new Map<string, number>();
  for (const [one, time] of processorTimes(checkouts)) {
    const isOwn = one.startsWith(`${name}: `);
    if (isOwn || one === LOAD_GENERATOR) processor.set(isOwn ? one.slice(name.length + 2) : one, time - (before.get(one) ?? 0));
  }
  return { result, processor };
};
