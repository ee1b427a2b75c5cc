import { keyOfChange, type MovementChange } from '../domain/movement.ts';
import type { BlockProjection } from '../domain/projection.ts';

/** Blocks that are durable but not projected yet, and what readers need of them. */
export type Backlog = {
  push: (block: BlockProjection) => void;
  /** Changes of one movement (`movementKey`), oldest first. */
  changes: (key: string) => readonly MovementChange[];
  /** The oldest blocks, at least one if there is any, with together not many more than `maxEntries` entries. */
  oldest: (maxEntries: number) => readonly BlockProjection[];
  /** Removes the blocks up to n: they are projected. */
  drop: (n: number) => void;
  /** Entries that are not projected. */
  size: () => number;
};

export const createBacklog = (): Backlog => {
  const blocks: BlockProjection[] = [];
  let size = 0;
  const changes = new Map<string, MovementChange[]>();
  return {
    push: (block) => {
      blocks.push(block);
      size += block.entries;
      for (const change of block.movements) {
        const key = keyOfChange(change);
        const list = changes.get(key);
        if (list === undefined) changes.set(key, [change]);
        else list.push(change);
      }
    },
    changes: (key) => changes.get(key) ?? [],
    oldest: (maxEntries) => {
      let sum = 0;
      const end = blocks.findIndex((block) => {
        sum += block.entries;
        return sum > maxEntries;
      });
      return end === -1 ? blocks.slice() : blocks.slice(0, Math.max(end, 1));
    },
    drop: (n) => {
      const kept = blocks.findIndex((block) => block.n > n);
      for (const block of blocks.splice(0, kept === -1 ? blocks.length : kept)) {
        size -= block.entries;
        for (const change of block.movements) {
          const key = keyOfChange(change);
          const rest = (changes.get(key) ?? []).slice(1);
          if (rest.length === 0) changes.delete(key);
          else changes.set(key, rest);
        }
      }
    },
    size: () => size,
  };
};
