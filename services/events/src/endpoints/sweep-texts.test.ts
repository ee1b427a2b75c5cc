import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { startTextSweep } from './sweep-texts.ts';

describe('sealed texts', () => {
  let sweep: { close: () => Promise<void> } | undefined;
  afterEach(() => sweep?.close());

  it('that no endpoint refers to are deleted when two looks in a row find them so', async () => {
    const stored = new Set(['used', 'left', 'late']);
    const used = [['used'], ['used'], ['used', 'late'], ['used', 'late'], ['used', 'late']];
    const removed: (readonly string[])[] = [];
    const looks: number[] = [];
    sweep = startTextSweep({
      endpoints: {
        textsInUse: async () => {
          looks.push(looks.length + 1);
          // Texts that are stored after the listing are not in it.
          stored.add(`new ${looks.length}`);
          return new Set([...(used[looks.length] ?? used[4] ?? []), `new ${looks.length - 1}`, `new ${looks.length - 2}`]);
        },
      },
      secrets: {
        ids: async () => [...stored],
        remove: async (ids) => {
          removed.push(ids);
          for (const id of ids) stored.delete(id);
        },
      },
      logger: quietLogger,
      intervalMs: 5,
    });
    await expect.poll(() => looks.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
    // The first look only remembers; `late` was in use at the second one.
    expect(removed[0]).toEqual([]);
    expect(removed.slice(1).flat()).toContain('left');
    expect(removed.flat()).not.toContain('used');
    expect(removed.flat()).not.toContain('late');
  });
});
