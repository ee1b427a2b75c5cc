import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Batch } from './prepared-chain.ts';

/** A node with prepared blocks, in a process of its own. */
export type BenchNode = {
  url: string;
  pid: number;
  /** Adds blocks, final at once. @returns the number of the newest one */
  add: (batch: Batch) => Promise<number>;
  close: () => Promise<void>;
};

/** Starts the node with one block. One order at a time. */
export const startBenchNode = async (token: string, chainId: number): Promise<BenchNode> => {
  const child = fork(join(import.meta.dirname, 'node.ts'), [token, String(chainId)]);
  const reply = async (): Promise<number> => Number(((await once(child, 'message')) as [number])[0]);
  const url = `http://127.0.0.1:${await reply()}`;
  return {
    url,
    pid: child.pid ?? 0,
    add: (batch) => {
      const head = reply();
      child.send(batch);
      return head;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
};
