import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { SnapshotStore } from '../store/snapshots.ts';

export type SnapshotRoundsOptions = {
  /** Journals that are open here. */
  journals: () => readonly { shard: string; tail: () => { n: number } }[];
  blocks: { find: (shard: string, n: number) => Promise<{ at: Date } | undefined> };
  snapshots: Pick<SnapshotStore, 'newest'>;
  everyMs: number;
  /** For the process that makes the snapshot: the database and the signing key. */
  environment: Readonly<Record<string, string>>;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/** TypeScript here, JavaScript in the image. */
const COMMAND = fileURLToPath(new URL(`../cli/main${extname(import.meta.url)}`, import.meta.url));
const HEAP_MB = 512;
const MAX_PAUSE_MS = 60_000;

export type SnapshotRounds = Pick<Rounds, 'close'> & {
  /**
   * Begins snapshots as of these blocks, one after the other, beside the rounds.
   * @returns false while those that were ordered before are being made
   */
  make: (blocks: readonly { shard: string; n: number }[]) => boolean;
};

/**
 * Makes a snapshot of each open journal every `everyMs` while blocks are appended, in a process of its own: reading the journal a
 * second time takes nothing from the event loop that writes it.
 */
export const startSnapshots = (options: SnapshotRoundsOptions): SnapshotRounds => {
  const { journals, blocks, snapshots, everyMs, environment, runtime, logger } = options;
  const stop = new AbortController();
  const run = (shard: string, block?: number): Promise<void> =>
    new Promise((resolve) => {
      const asOf = block === undefined ? [] : ['--block', String(block)];
      const args = [`--max-old-space-size=${HEAP_MB}`, COMMAND, 'snapshot', '--shard', shard, ...asOf];
      const child = spawn(process.execPath, args, { env: { ...environment }, stdio: ['ignore', 'ignore', 'pipe'], signal: stop.signal });
      let output = '';
      child.stderr.on('data', (chunk) => {
        output = `${output}${String(chunk)}`.slice(-2000);
      });
      child.once('error', (err) => {
        if (!stop.signal.aborted) logger.warn({ err, shard }, 'the snapshot could not be started');
        resolve();
      });
      child.once('exit', (code) => {
        if (code !== 0 && !stop.signal.aborted) logger.error({ shard, output }, 'the snapshot failed: run `npm run ledger -- verify`');
        resolve();
      });
    });
  const tried = new Map<string, number>();
  const isDue = async (shard: string, tail: number): Promise<boolean> => {
    const now = runtime.now().getTime();
    const newest = await snapshots.newest(shard);
    const since = newest?.at ?? (await blocks.find(shard, 1))?.at;
    if (since === undefined || tail === (newest?.n ?? 0)) return false;
    return now - Math.max(since.getTime(), tried.get(shard) ?? 0) >= everyMs;
  };
  const rounds = startRounds({
    round: async (closed) => {
      for (const { shard, tail } of journals()) {
        if (closed() || !(await isDue(shard, tail().n))) continue;
        tried.set(shard, runtime.now().getTime());
        await run(shard);
      }
    },
    intervalMs: Math.min(everyMs, MAX_PAUSE_MS),
    logger,
    failed: 'looking for due snapshots failed, will be repeated',
  });
  let ordered: Promise<void> | undefined;
  return {
    make: (places) => {
      if (ordered !== undefined) return false;
      const all = async (): Promise<void> => {
        for (const { shard, n } of places) if (!stop.signal.aborted) await run(shard, n);
      };
      ordered = all().finally(() => {
        ordered = undefined;
      });
      return true;
    },
    close: async () => {
      stop.abort();
      await rounds.close();
      await ordered;
    },
  };
};
