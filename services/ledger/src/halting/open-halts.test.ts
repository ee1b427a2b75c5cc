import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TokenBlock } from '../domain/token-block.ts';
import { openHalts } from './halts.ts';

const CHAIN = 100;
const START = new Date('2026-01-02T00:00:00Z');

describe('what an instance knows of what cannot be spent', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await close?.();
  });

  const open = async (stored: TokenBlock[], bounds: { chainId: number; until: Date }[] = []) => {
    vi.useFakeTimers({ now: START });
    const reads: ('all' | 'new')[] = [];
    const halts = await openHalts({
      chains: {
        ids: async () => [],
        bounds: async () => bounds,
        renew: async () => undefined,
        add: async () => undefined,
        remove: async () => undefined,
      },
      blocks: {
        pages: async function* (since?: Date) {
          reads.push(since === undefined ? 'all' : 'new');
          for (const block of stored) if (since === undefined || block.since >= since) yield [block];
        },
        add: async () => undefined,
        remove: async () => undefined,
      },
      assets: DEFAULT_ASSETS,
      runtime: { now: () => new Date() },
      logger: quietLogger,
    });
    ({ close } = halts);
    return { halts, reads };
  };
  const frozen = (accountId: string): TokenBlock => ({ token: 'EURe', reason: 'frozen', accountId, since: new Date() });

  it('has new blocks within a second, and is told of those that ended within ten, without reading all of them each time', async () => {
    const stored = [frozen('a')];
    const { halts, reads } = await open(stored);
    stored.push(frozen('b'));
    await vi.advanceTimersByTimeAsync(2000);
    expect([...halts.tokens().keys()]).toEqual(['EURe/a', 'EURe/b']);
    expect(halts.blocksOf('b')).toMatchObject([{ accountId: 'b' }]);
    stored.shift();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([...halts.tokens().keys()]).toEqual(['EURe/b']);
    expect(reads.filter((one) => one === 'all')).toHaveLength(2);
  });

  it('says for how long the tokens of a chain can be spent', async () => {
    const { halts } = await open([], [{ chainId: CHAIN, until: new Date(START.getTime() + 3000) }]);
    expect(halts.secondsLeft()).toEqual([[CHAIN, 3]]);
    expect(halts.tokens().size).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(halts.secondsLeft()).toEqual([[CHAIN, -2]]);
    expect(halts.tokens().get('EURe')).toBe('CHAIN_HALTED');
  });
});
